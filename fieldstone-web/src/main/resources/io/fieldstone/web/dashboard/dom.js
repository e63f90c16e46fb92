// Builds the page. All text goes through textContent: names of peers and files are not trusted.

const SVG = 'http://www.w3.org/2000/svg';

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    node.setAttribute(name, value);
  }
  node.append(...children); // strings become text
  return node;
}

/** Makes an element; children are elements or strings. */
export function el(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

/** Makes an element of SVG. */
export function svg(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

/** Sets a text, if it is another one: readers of the screen hear of changes only. */
export function setText(node, text) {
  if (node.textContent !== text) {
    node.textContent = text;
  }
}

/** Sets an attribute, if it is another one. */
export function setAttribute(node, name, value) {
  if (node.getAttribute(name) !== String(value)) {
    node.setAttribute(name, value);
  }
}

/**
 * Brings the children of a parent into line with items: those with a known key stay, with focus
 * and selection, and are updated.
 */
export function reconcile(parent, items, keyOf, make, update) {
  const known = new Map([...parent.children].map(child => [child.dataset.key, child]));
  let before = parent.firstElementChild;
  for (const item of items) {
    const key = keyOf(item);
    let child = known.get(key);
    if (child) {
      known.delete(key);
    } else {
      child = make(item);
      child.dataset.key = key;
    }
    if (child === before) {
      before = before.nextElementSibling;
    } else {
      parent.insertBefore(child, before);
    }
    update(child, item);
  }
  for (const gone of known.values()) {
    gone.remove();
  }
}
