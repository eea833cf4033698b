'use strict';
// Steps through the walk that is beside this script as JSON: page.cpp says what is in it.
const walk = JSON.parse(document.getElementById('walk').textContent);
const byId = (id) => document.getElementById(id);
const last = walk.frames.length - 1;
// What a step of the walk is: warp instructions done, wavefront of the last one and of how many, phase, line.
const [STEPS, WAVEFRONT, WAVEFRONTS, PHASE, LINE] = [0, 1, 2, 3, 4];
const escaped = (text) => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);

// The numbers of a picture's items at each step. Every so many steps they are kept, for those after.
class Reel {
  constructor(frames) {
    this.frames = frames;
    this.kept = new Map();
  }
  at(step) {
    let from = step;
    while (from > 0 && !this.kept.has(from)) --from;
    let items = this.kept.get(from) || this.next([], 0);
    while (from < step) {
      items = this.next(items, ++from);
      if (from % 64 === 0) this.kept.set(from, items);
    }
    return items;
  }
  next(before, step) {
    const runs = this.frames[step];
    if (runs === 0) return before;
    const items = [];
    for (let i = 0; i < runs.length; i += 2) {
      for (let k = 0; k < runs[i + 1]; ++k) items.push(runs[i] < 0 ? -1 - runs[i] + k : before[runs[i] + k]);
    }
    return items;
  }
}

function element(number) {
  const [style, ...values] = walk.items[number];
  const [name, attributes] = walk.styles[style];
  if (name === 'rect') {
    const [x, y, width, height] = values;
    return `<rect x="${x}" y="${y}" width="${width}" height="${height}" ${attributes}/>`;
  }
  if (name === 'text') {
    const [x, y, length, text] = values;
    const fitted = length > 0 ? ` textLength="${length}" lengthAdjust="spacingAndGlyphs"` : '';
    const blanks = /^ | $|  |\t/.test(text) ? ' xml:space="preserve"' : '';
    return `<text x="${x}" y="${y}"${fitted}${blanks} ${attributes}>${escaped(text)}</text>`;
  }
  const points = [];
  for (let i = 0; i < values.length; i += 2) points.push(`${values[i]} ${values[i + 1]}`);
  const path = points.length === 4 ? `M${points[0]}C${points.slice(1).join(' ')}` :
    `M${points.join('L')}${points.length === 3 ? 'Z' : ''}`;
  return `<path d="${path}" ${attributes}/>`;
}

const pictures = walk.pictures.map((picture) => {
  const figure = byId(picture.name);
  const svg = figure.querySelector('svg');
  svg.setAttribute('viewBox', `0 0 ${picture.width} ${picture.height}`);
  if (picture.name === 'source') svg.style.setProperty('--least', `${0.65 * picture.width}px`);
  return {...picture, figure, svg, reel: new Reel(picture.frames), shown: null};
});

// The counters' texts at each step.
const counted = [];
walk.changes.forEach((change, step) => {
  const texts = step > 0 ? counted[step - 1].slice() : [];
  if (change !== 0) for (let i = 0; i < change.length; i += 2) texts[change[i]] = change[i + 1];
  counted.push(texts);
});
const counterCells = walk.counters.map((counter) => {
  const row = byId('counters').querySelector('tbody').insertRow();
  row.title = counter.meaning;
  row.innerHTML = `<th scope="row">${escaped(counter.name)}</th><td></td><td></td><td></td>`;
  return [...row.querySelectorAll('td')];
});

// The first and the last step of each phase. Before the first step none has begun.
const ends = walk.phases.map(() => [-1, -1]);
walk.frames.forEach((frame, step) => {
  const phase = ends[frame[PHASE]];
  if (step === 0 || !phase) return;
  if (phase[0] < 0) phase[0] = step;
  phase[1] = step;
});
const chips = walk.phases.map((phase, index) => {
  const item = document.createElement('li');
  item.style.flexGrow = String(ends[index][1] - ends[index][0] + 1);
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = phase.label;
  button.title = `Phase ${index + 1}: ${phase.label}`;
  button.addEventListener('click', () => show(ends[index][1]));
  item.append(button);
  byId('phases').append(item);
  return button;
});
byId('phases').classList.toggle('many', walk.phases.length > 16);

let step = -1;
let timer = 0;

function placeOf(frame) {
  const phase = walk.phases[frame[PHASE]];
  const parts = [];
  if (phase) parts.push(`phase ${frame[PHASE] + 1} of ${walk.phases.length}, ${phase.label}`);
  parts.push(`step ${frame[STEPS]} of ${walk.steps}`);
  if (frame[WAVEFRONTS] > 0) parts.push(`wavefront ${frame[WAVEFRONT]} of ${frame[WAVEFRONTS]}`);
  return parts.join(' · ');
}

function showPictures(place, line) {
  const names = {array: 'Array', warps: 'Warps', banks: 'Banks', source: 'Source'};
  for (const picture of pictures) {
    const items = picture.reel.at(step);
    picture.svg.setAttribute('aria-label', `${names[picture.name]}: ${place}${line ? `; line: ${line}` : ''}`);
    if (items === picture.shown) continue;
    picture.svg.innerHTML = items.map(element).join('');
    picture.shown = items;
  }
}

// The line that ran is in sight.
function scrollSource(top) {
  const {figure, svg, height} = pictures.find((picture) => picture.name === 'source');
  const at = top * svg.getBoundingClientRect().height / height;
  if (at < figure.scrollTop + 30 || at > figure.scrollTop + figure.clientHeight - 30)
    figure.scrollTop = at - figure.clientHeight / 2;
}

function showCounters(phase) {
  walk.counters.forEach((counter, row) => {
    const texts = [counted[step][row], phase ? phase.counters[row] : '', walk.total[row]];
    texts.forEach((text, column) => {
      const cell = counterCells[row][column];
      cell.textContent = text;
      cell.className = parseFloat(text) > 0 ? counter.costs : '';
    });
  });
}

function showPhase(index) {
  const phase = walk.phases[index];
  chips.forEach((chip, number) => number === index ? chip.setAttribute('aria-current', 'step')
                                                   : chip.removeAttribute('aria-current'));
  byId('phase').hidden = !phase;
  if (!phase) return;
  byId('phase-title').textContent = `Phase ${index + 1}: ${phase.label}`;
  byId('phase').querySelector('div').innerHTML = phase.text;
  for (const item of document.querySelectorAll('#lesson [aria-current]')) item.removeAttribute('aria-current');
  byId(`lesson-${phase.lesson}`)?.setAttribute('aria-current', 'step');
}

function show(next) {
  next = Math.max(0, Math.min(last, next));
  if (next === step) return;
  const before = step < 0 ? -1 : walk.frames[step][PHASE];
  step = next;
  const frame = walk.frames[step];
  const place = placeOf(frame);
  const [top, line] = walk.lines[frame[LINE]];
  showPictures(place, line.trim());
  showCounters(walk.phases[frame[PHASE]]);
  if (frame[PHASE] !== before) showPhase(frame[PHASE]);
  if (frame[LINE] > 0) scrollSource(top);
  byId('place').textContent = place;
  byId('slider').value = String(step);
  byId('slider').setAttribute('aria-valuetext', place);
  for (const id of ['start', 'back', 'phase-back']) byId(id).disabled = step === 0;
  for (const id of ['end', 'forward', 'phase-forward']) byId(id).disabled = step === last;
  if (step === last) play(false);
  keepAddress(frame);
}

// `#step=13`, and at the grain of wavefronts `#step=13&wavefront=1` before the last.
function keepAddress(frame) {
  const wavefront = frame[WAVEFRONT] < frame[WAVEFRONTS] ? `&wavefront=${frame[WAVEFRONT]}` : '';
  const address = `#step=${frame[STEPS]}${wavefront}`;
  if (location.hash === address) return;
  try {
    history.replaceState(null, '', address);
  } catch {
    // A frame without rights of its own has no address to keep.
  }
}

// The step that the address names: the current one if it names none.
function stepOfAddress() {
  const asked = new URLSearchParams(location.hash.slice(1));
  if (!/^\d+$/.test(asked.get('step') || '')) return step < 0 ? stepAt(walk.opensAt, Infinity) : step;
  return stepAt(Number(asked.get('step')), Number(asked.get('wavefront')) || Infinity);
}

// The last that is not beyond so many warp instructions, and so many wavefronts of the last one; if the grain
// is coarser, the first that has done them.
function stepAt(steps, wavefront) {
  const isDone = (frame) => frame[STEPS] > steps ||
    (frame[STEPS] === steps && frame[WAVEFRONT] >= Math.min(wavefront, frame[WAVEFRONTS]));
  const found = walk.frames.findIndex(isDone);
  return found < 0 ? last : found;
}

// The steps that stepping stops at, by grain; a page has those of its own grain and of coarser ones.
const all = walk.frames.map((frame, index) => index);
const stops = {
  phase: [0, ...ends.map((phase) => phase[1]).filter((end) => end > 0), last],
  instruction: all.filter((index) => walk.frames[index][WAVEFRONT] === walk.frames[index][WAVEFRONTS]),
  wavefront: all,
};
const grain = byId('grain');
for (const name of Object.keys(stops).slice(0, Object.keys(stops).indexOf(walk.grain) + 1))
  grain.append(new Option(name, name, false, name === walk.grain));

function move(direction, by) {
  const of = stops[by];
  show(direction > 0 ? of.find((stop) => stop > step) ?? last : of.filter((stop) => stop < step).pop() ?? 0);
}

const speed = byId('speed');
speed.value = '2';
function play(isOn) {
  clearInterval(timer);
  timer = 0;
  document.body.toggleAttribute('data-playing', isOn);
  byId('play').setAttribute('aria-label', isOn ? 'Pause' : 'Play');
  byId('place').setAttribute('aria-live', isOn ? 'off' : 'polite');
  if (!isOn) return;
  if (step === last) show(0);
  document.body.toggleAttribute('data-playing', true);
  timer = setInterval(() => move(1, grain.value), 1000 / Number(speed.value));
}
function changeSpeed(by) {
  speed.selectedIndex = Math.max(0, Math.min(speed.options.length - 1, speed.selectedIndex + by));
  if (timer) play(true);
}

const actions = {
  start: () => show(0),
  'phase-back': () => move(-1, 'phase'),
  back: () => move(-1, grain.value),
  play: () => play(!timer),
  forward: () => move(1, grain.value),
  'phase-forward': () => move(1, 'phase'),
  end: () => show(last),
};
for (const [id, action] of Object.entries(actions)) byId(id).addEventListener('click', action);
byId('slider').addEventListener('input', (event) => show(Number(event.target.value)));
speed.addEventListener('change', () => timer && play(true));

const keys = {
  ArrowLeft: 'back', ArrowRight: 'forward', 'Shift+ArrowLeft': 'phase-back', 'Shift+ArrowRight': 'phase-forward',
  ArrowUp: 'phase-back', ArrowDown: 'phase-forward', Home: 'start', End: 'end', ' ': 'play',
};
// Arrows scroll a picture that was reached by the keyboard, and choose in a list; space presses a button.
function isTheirs(event) {
  const at = document.activeElement;
  if (!at || at === document.body || at === byId('slider')) return false;
  if (at.matches('select')) return true;
  if (event.key === ' ') return at.matches('button, summary');
  return at.matches('figure:focus-visible') && event.key.startsWith('Arrow');
}
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || isTheirs(event)) return;
  const action = keys[event.shiftKey && event.key.startsWith('Arrow') ? `Shift+${event.key}` : event.key];
  if (action) actions[action]();
  else if (event.key === '-') changeSpeed(-1);
  else if (event.key === '+' || event.key === '=') changeSpeed(1);
  else if (event.key.toLowerCase() === 'n') move(1, walk.grain);
  else if (event.key.toLowerCase() === 'p') move(-1, walk.grain);
  else if (grain.options[Number(event.key) - 1]) grain.selectedIndex = Number(event.key) - 1;
  else if (event.key === '?') {
    byId('keys').open = !byId('keys').open;
    if (byId('keys').open) byId('keys').scrollIntoView();
  } else return;
  event.preventDefault();
});

const themes = [['', 'system'], ['light', 'light'], ['dark', 'dark'], ['high-contrast', 'high contrast']];
let theme = 0;
function showTheme() {
  const [id, name] = themes[theme];
  if (id) document.documentElement.dataset.theme = id;
  else delete document.documentElement.dataset.theme;
  byId('theme').textContent = `Colors: ${name}`;
}
byId('theme').addEventListener('click', () => {
  theme = (theme + 1) % themes.length;
  showTheme();
});

byId('copy').addEventListener('click', async () => {
  const text = byId('copy').nextElementSibling;
  try {
    await navigator.clipboard.writeText(text.textContent);
    byId('copy').textContent = 'Copied';
  } catch {
    // Where the clipboard is closed to pages, the text is chosen for Ctrl+C.
    getSelection().selectAllChildren(text);
  }
});

showTheme();
window.addEventListener('hashchange', () => show(stepOfAddress()));
show(stepOfAddress());
