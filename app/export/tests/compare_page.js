// Runs after page.js: goes to every step and compares what is drawn with `expected`, a list of
// [address, place, [SVG of the array, the warps, the banks, the source]].
const problems = [];
let shapes = 0;
const colors = new Map();
const numbers = /-?\d+(\.\d+)?(e-?\d+)?/g;

// What a class of the page paints: the same as #rrggbb.
function colorOf(node, paint) {
  const key = paint + node.getAttribute('class');
  if (!colors.has(key)) {
    const parts = getComputedStyle(node)[paint].match(/\d+/g) || [];
    colors.set(key, parts.length < 3 ? 'none' : '#' + parts.slice(0, 3).map((part) => Number(part).toString(16).padStart(2, '0')).join(''));
  }
  return colors.get(key);
}

function isNear(given, wanted, most) {
  const [a, b] = [given.match(numbers) || [], wanted.match(numbers) || []];
  return a.length === b.length && a.every((value, i) => Math.abs(Number(value) - Number(b[i])) <= most) &&
    given.replace(numbers, '') === wanted.replace(numbers, '');
}

function differenceOf(given, wanted) {
  if (given.tagName !== wanted.tagName) return 'another element';
  if (given.textContent !== wanted.textContent) return 'another text';
  for (const name of ['x', 'y', 'width', 'height', 'd', 'textLength']) {
    if (!isNear(given.getAttribute(name) || '', wanted.getAttribute(name) || '', 0.0601)) return name;
  }
  const plain = {rx: '0', 'text-anchor': 'start', 'font-weight': '', 'stroke-width': '', 'fill-opacity': '1', 'stroke-opacity': '1', 'font-size': '', 'xml:space': ''};
  for (const [name, none] of Object.entries(plain)) {
    if ((given.getAttribute(name) || none) !== (wanted.getAttribute(name) || none)) return name;
  }
  if (given.hasAttribute('font-family') !== wanted.hasAttribute('font-family')) return 'font-family';
  for (const paint of ['fill', 'stroke']) {
    const color = wanted.getAttribute(paint);
    if (color && colorOf(given, paint) !== color) return `${paint} ${colorOf(given, paint)} for ${color}`;
  }
  return '';
}

function compare(where, given, wanted) {
  // Its background is the panel's own.
  const wantedNodes = [...wanted.children].slice(1);
  if (given.children.length !== wantedNodes.length)
    problems.push(`${where}: ${given.children.length} shapes for ${wantedNodes.length}`);
  wantedNodes.slice(0, given.children.length).forEach((node, i) => {
    ++shapes;
    const difference = differenceOf(given.children[i], node);
    if (difference) problems.push(`${where}: ${difference}: ${given.children[i].outerHTML} for ${node.outerHTML}`);
  });
}

document.documentElement.dataset.theme = 'light';
if (walk.frames.length !== expected.length) problems.push(`${walk.frames.length} steps for ${expected.length}`);
// There and back: a step does not depend on the one before.
const order = [...expected.keys()].concat([...expected.keys()].filter((i) => i % 7 === 0).reverse());
for (const i of order) {
  const [address, place, svgs] = expected[i];
  location.hash = address;
  show(stepOfAddress());
  if (location.hash !== address) problems.push(`${address}: the address is ${location.hash}`);
  if (place && byId('place').textContent !== place) problems.push(`${address}: ${byId('place').textContent} for ${place}`);
  svgs.forEach((svg, k) => compare(`${address} ${pictures[k].name}`, pictures[k].svg,
                                   new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement));
}
finish(problems.length > 0 ? `${problems.length} differences: ${problems.slice(0, 5).join('\n')}` : `${expected.length} steps, ${shapes} shapes`);
