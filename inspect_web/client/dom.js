/** Elements made in one line. Text is always text: nothing is parsed as HTML. */

/**
 * @param {string} tag @param {Record<string, any>} [props] attributes; `on…` is a listener
 * @param {...(Node | string | null | undefined | false)} children
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child || child === 0));
  return element;
}

/** @param {string} id */
export const byId = (id) => document.getElementById(id);
