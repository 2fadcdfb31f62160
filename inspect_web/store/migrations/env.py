"""How Alembic reaches the database: by the connection that ``migrate`` hands over."""

from alembic import context

from inspect_web.store.tables import metadata

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
connection.commit()
