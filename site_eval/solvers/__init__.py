"""Pure solvers: geometry and numbers in, plain results out; see README.md."""
