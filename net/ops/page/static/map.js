'use strict';
// The map: what is on it is drawn in two layers, the ground when the view changes, and things for as long as they move. North,
// where x grows, is up; west, where y grows, is left.

const CELL = 30; // yards, as ecs/grid has it
const KINDS = ['other', 'player', 'creature', 'corpse'];
const ASLEEP = 1, DEAD = 2, FIGHTING = 4, GHOST = 8; // of a state
const MAX_LABELS = 400;

const width = () => $('things').clientWidth, height = () => $('things').clientHeight;
const screenX = y => width() / 2 + (page.view.y - y) * page.view.scale;
const screenY = x => height() / 2 + (page.view.x - x) * page.view.scale;
const worldX = py => page.view.x - (py - height() / 2) / page.view.scale;
const worldY = px => page.view.y - (px - width() / 2) / page.view.scale;

const ink = {};
function readTheme() {
  const style = getComputedStyle(document.documentElement);
  for (const name of ['back', 'panel', 'ink', 'faint', 'line', 'accent', 'player', 'creature', 'other', 'fighting', 'dead', 'asleep', 'spawn'])
    ink[name] = style.getPropertyValue('--' + name).trim();
}

function moved() {
  if (!place()) return;
  const v = page.view, half = place().half;
  v.scale = Math.min(20, Math.max(v.scale, 0.4 * Math.min(width(), height()) / (2 * half)));
  v.x = Math.min(half, Math.max(-half, v.x));
  v.y = Math.min(half, Math.max(-half, v.y));
  stale = true;
  clearTimeout(connecting);
  connecting = setTimeout(connect, 120);
}

function showBox(minX, minY, maxX, maxY, margin) {
  const v = page.view;
  v.x = (minX + maxX) / 2;
  v.y = (minY + maxY) / 2;
  v.scale = Math.min(width() / (maxY - minY + margin), height() / (maxX - minX + margin));
  moved();
}

function wholeMap() {
  if (!place()) return;
  const h = place().half;
  showBox(-h, -h, h, h, 0.06 * h);
}

// fit goes to where players are, by the first event that tells of the whole map.
function fit() {
  let box = null;
  const add = (x, y) => {
    box ??= [x, y, x, y];
    box = [Math.min(box[0], x), Math.min(box[1], y), Math.max(box[2], x), Math.max(box[3], y)];
  };
  for (const t of page.things.values()) if (t.kind === 1) add(t.x, t.y);
  const b = page.blocks;
  if (b) eachBlock(b, (x, y, side, awake, asleep, players) => players && (add(x, y), add(x + side, y + side)));
  if (box) showBox(...box, 160);
}

// zoom keeps what is under a point of the screen where it is.
function zoom(by, px, py) {
  const x = worldX(py), y = worldY(px);
  fitting = false;
  page.view.scale = Math.min(20, page.view.scale * by);
  page.view.x += x - worldX(py);
  page.view.y += y - worldY(px);
  moved();
}

function eachBlock(b, visit) {
  const side = b.grain * CELL;
  for (let i = 0; i < b.blocks.length; i += 4) {
    const at = b.blocks[i];
    visit(b.left + at % b.columns * side, b.bottom + Math.floor(at / b.columns) * side, side, b.blocks[i + 1], b.blocks[i + 2], b.blocks[i + 3]);
  }
}

function prepare(canvas) {
  const ratio = devicePixelRatio || 1, w = canvas.clientWidth, h = canvas.clientHeight;
  if (canvas.width !== Math.round(w * ratio) || canvas.height !== Math.round(h * ratio)) {
    canvas.width = Math.round(w * ratio);
    canvas.height = Math.round(h * ratio);
  }
  const c = canvas.getContext('2d');
  c.setTransform(ratio, 0, 0, ratio, 0, 0);
  c.clearRect(0, 0, w, h);
  return c;
}

// drawGround draws what does not move: land, zones, and where creatures belong.
function drawGround() {
  const c = prepare($('ground')), m = place(), s = page.view.scale, half = m.half;
  const left = screenX(half), top = screenY(half), side = 2 * half * s;
  const image = grounds.get(m.id);
  if (image) c.drawImage(image, left, top, side, side);
  c.strokeStyle = ink.line;
  c.strokeRect(left, top, side, side);
  if (CELL * s >= 14) lines(c, CELL);
  c.font = '12px system-ui, sans-serif';
  m.zones.forEach((z, i) => {
    const x = screenX(z.max_y), y = screenY(z.max_x), w = (z.max_y - z.min_y) * s, h = (z.max_x - z.min_x) * s;
    c.strokeStyle = ink.line;
    c.strokeRect(x, y, w, h);
    const tx = Math.max(x, 0) + 10, ty = Math.max(y, 46) + 18, atX = worldX(ty), atY = worldY(tx); // of its name
    const hidden = m.zones.slice(0, i).some(o => atX >= o.min_x && atX < o.max_x && atY >= o.min_y && atY < o.max_y);
    if (hidden || w < 70 || tx + 60 > Math.min(x + w, width()) || ty + 10 > Math.min(y + h, height())) return;
    c.fillStyle = ink.faint;
    c.fillText(z.name, tx, ty);
  });
  const points = spawns.get(m.id) || [], w = width(), h = height(), dot = Math.max(1, Math.min(4, 1.2 * s + 0.6));
  c.fillStyle = ink.spawn;
  c.globalAlpha = Math.min(1, 0.35 + 2 * s);
  for (let i = 0; i < points.length; i += 2) {
    const px = screenX(points[i + 1]), py = screenY(points[i]);
    if (px > 0 && py > 0 && px < w && py < h) c.fillRect(px - dot / 2, py - dot / 2, dot, dot);
  }
  c.globalAlpha = 1;
}

// lines draws the edges of cells.
function lines(c, step) {
  c.beginPath();
  for (let y = Math.ceil(worldY(width()) / step) * step; y < worldY(0); y += step) {
    c.moveTo(screenX(y), 0);
    c.lineTo(screenX(y), height());
  }
  for (let x = Math.ceil(worldX(height()) / step) * step; x < worldX(0); x += step) {
    c.moveTo(0, screenY(x));
    c.lineTo(width(), screenY(x));
  }
  c.globalAlpha = 0.5;
  c.stroke();
  c.globalAlpha = 1;
}

// heat is how a cell is coloured in which n things are awake: that is what a tick pays for.
const heat = n => `rgba(224, 92, 48, ${Math.min(0.6, 0.02 + Math.log2(1 + n) / 16)})`;

function drawThings() {
  const c = prepare($('things')), share = Math.min(1, (performance.now() - arrived) / PERIOD);
  page.labels = [];
  if (page.blocks) return drawBlocks(c);
  drawHeat(c);
  const size = Math.max(1.6, Math.min(6, 1.7 + page.view.scale * 1.1));
  for (const wanted of [2, 0, 3, 1]) { // players above all others
    for (const [guid, t] of page.things) if (t.kind === wanted) drawThing(c, guid, t, share, size);
  }
  drawNames(c, share, size);
}

function drawBlocks(c) {
  const s = page.view.scale, cells = page.blocks.grain ** 2;
  let fullest = 0;
  eachBlock(page.blocks, (x, y, side, awake, asleep, players) => {
    const px = screenX(y + side), py = screenY(x + side), size = side * s;
    fullest = Math.max(fullest, awake);
    if (asleep) {
      c.globalAlpha = Math.min(0.5, 0.12 + Math.log2(1 + asleep / cells) / 8);
      c.fillStyle = ink.asleep;
      c.fillRect(px, py, size, size);
      c.globalAlpha = 1;
    }
    if (awake) {
      c.fillStyle = heat(awake / Math.sqrt(cells));
      c.fillRect(px, py, size, size);
    }
    if (players) {
      c.fillStyle = ink.player;
      c.beginPath();
      c.arc(px + size / 2, py + size / 2, Math.max(2, Math.min(size / 2.2, 1.5 + Math.sqrt(players))), 0, 7);
      c.fill();
    }
  });
  load(fullest, page.blocks.grain);
}

function drawHeat(c) {
  const cells = new Map(), s = page.view.scale;
  let fullest = 0;
  for (const t of page.things.values()) {
    if (t.state & ASLEEP) continue;
    const key = Math.floor(t.x / CELL) * 4096 + Math.floor(t.y / CELL);
    cells.set(key, (cells.get(key) || 0) + 1);
  }
  for (const [key, n] of cells) {
    const x = Math.round(key / 4096) * CELL, y = (key - Math.round(key / 4096) * 4096) * CELL;
    fullest = Math.max(fullest, n);
    c.fillStyle = heat(n);
    c.fillRect(screenX(y + CELL), screenY(x + CELL), CELL * s, CELL * s);
  }
  load(fullest, 1);
}

// at is where on the screen a thing is, between where it was and where it goes.
const at = (t, share) => [screenX(t.fromY + (t.y - t.fromY) * share), screenY(t.fromX + (t.x - t.fromX) * share)];

function drawThing(c, guid, t, share, size) {
  const [px, py] = at(t, share), r = t.kind === 1 ? size * 1.15 : size * 0.85;
  c.globalAlpha = t.state & GHOST ? 0.4 : 1;
  c.beginPath();
  c.arc(px, py, r, 0, 7);
  if (t.state & DEAD || t.kind === 3) {
    c.strokeStyle = ink.dead;
    c.lineWidth = 1.5;
    c.stroke();
  } else {
    c.fillStyle = t.state & ASLEEP ? ink.asleep : ink[KINDS[t.kind]];
    c.fill();
    if (t.state & FIGHTING) {
      c.strokeStyle = ink.fighting;
      c.lineWidth = Math.max(1.2, r * 0.4);
      c.stroke();
    }
  }
  c.globalAlpha = 1;
  if (guid !== page.selected) return;
  c.strokeStyle = ink.accent;
  c.lineWidth = 2;
  c.beginPath();
  c.arc(px, py, r + 5, 0, 7);
  c.stroke();
}

// drawNames names the players, each where it does not lie over the name of another: first the one that is selected, then those
// that had their name in the last picture, so that names do not flicker.
const named = new Set();
function drawNames(c, share, size) {
  const players = [...page.things].filter(([guid, t]) => t.kind === 1 && page.names.has(guid));
  const rank = ([guid]) => guid === page.selected ? 0 : named.has(guid) ? 1 : 2;
  players.sort((a, b) => rank(a) - rank(b));
  named.clear();
  const high = 13, taken = new Map(); // the labels, by the rows of the screen that they touch
  c.font = '11px system-ui, sans-serif';
  c.lineWidth = 3;
  c.lineJoin = 'round';
  c.strokeStyle = ink.back;
  c.fillStyle = ink.ink;
  for (const [guid, t] of players) {
    if (page.labels.length >= MAX_LABELS) break;
    const [px, py] = at(t, share), text = page.names.get(guid);
    if (px < 0 || py < 0 || px > width() || py > height()) continue;
    const box = { guid, text, x: px + size * 1.15 + 4, y: py - high / 2, w: c.measureText(text).width, h: high };
    const rows = [Math.floor(box.y / high), Math.floor(box.y / high) + 1];
    const free = rows.every(row => (taken.get(row) || []).every(o => box.x >= o.x + o.w + 4 || o.x >= box.x + box.w + 4 || box.y >= o.y + o.h || o.y >= box.y + box.h));
    if (!free) continue;
    for (const row of rows) taken.set(row, [...(taken.get(row) || []), box]);
    named.add(guid);
    page.labels.push(box);
    c.strokeText(text, box.x, box.y + 10);
    c.fillText(text, box.x, box.y + 10);
  }
}

function load(fullest, grain) {
  const where = grain === 1 ? 'a cell' : `${thousands(grain * CELL)} yards`;
  $('load').textContent = fullest ? `up to ${thousands(fullest)} awake in ${where}` : '';
}

function drawScale() {
  let yards = 1;
  const most = Math.min(140, width() / 4);
  for (const next of [10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000]) if (next * page.view.scale < most) yards = next;
  $('scale').firstElementChild.style.width = `${yards * page.view.scale}px`;
  $('scale').lastElementChild.textContent = `${thousands(yards)} yd`;
}

// byDistance lists what is within some pixels of a point of the screen, the nearest first.
function byDistance(px, py, most) {
  return [...page.things].map(([guid, t]) => [guid, Math.hypot(screenX(t.y) - px, screenY(t.x) - py)])
    .filter(([, far]) => far < most).sort((a, b) => a[1] - b[1]).map(([guid]) => guid);
}

// pick selects what is nearest to a point of the screen, or goes nearer to where there is too much.
function pick(px, py, most) {
  if (page.blocks) return zoom(3, px, py);
  const near = byDistance(px, py, most);
  if (near.length) select(near[0]);
}

// listenToMap has pointers drag the map, two of them pinch it, a wheel zoom it, and keys do all of that.
function listenToMap() {
  const canvas = $('things'), down = new Map(); // pointers, by ID
  let far = false, touched = false;
  const middle = () => {
    const all = [...down.values()], x = all.reduce((sum, p) => sum + p.x, 0) / all.length, y = all.reduce((sum, p) => sum + p.y, 0) / all.length;
    return { x, y, spread: all.length > 1 ? Math.hypot(all[0].x - all[1].x, all[0].y - all[1].y) : 0 };
  };
  const point = e => ({ x: e.offsetX, y: e.offsetY });
  canvas.addEventListener('pointerdown', e => {
    if (!down.size) far = false;
    touched = e.pointerType !== 'mouse';
    down.set(e.pointerId, point(e));
    if (down.size > 1) far = true;
    canvas.setPointerCapture(e.pointerId);
  });
  canvas.addEventListener('pointermove', e => {
    const was = down.get(e.pointerId);
    if (!was || !far && Math.hypot(e.offsetX - was.x, e.offsetY - was.y) < (touched ? 8 : 4)) return;
    const from = middle();
    down.set(e.pointerId, point(e));
    const to = middle();
    far = true;
    fitting = false;
    canvas.className = 'dragged';
    page.view.y += (to.x - from.x) / page.view.scale;
    page.view.x += (to.y - from.y) / page.view.scale;
    if (from.spread > 0 && to.spread > 0) zoom(to.spread / from.spread, to.x, to.y);
    moved();
  });
  const up = e => {
    if (!down.delete(e.pointerId)) return;
    if (!down.size) canvas.className = '';
    if (!far && e.type === 'pointerup') pick(e.offsetX, e.offsetY, touched ? 24 : 14);
  };
  canvas.addEventListener('pointerup', up);
  canvas.addEventListener('pointercancel', up);
  canvas.addEventListener('wheel', e => {
    e.preventDefault();
    zoom(Math.exp(-e.deltaY * 0.0016), e.offsetX, e.offsetY);
  }, { passive: false });
  canvas.addEventListener('keydown', e => {
    const go = (x, y) => {
      fitting = false;
      page.view.x += x * 60 / page.view.scale;
      page.view.y += y * 60 / page.view.scale;
      moved();
    };
    const x = width() / 2, y = height() / 2;
    const does = {
      ArrowUp: () => go(1, 0), ArrowDown: () => go(-1, 0), ArrowLeft: () => go(0, 1), ArrowRight: () => go(0, -1),
      '+': () => zoom(1.5, x, y), '=': () => zoom(1.5, x, y), '-': () => zoom(1 / 1.5, x, y), Home: wholeMap,
      Enter: () => pick(x, y, Infinity), n: selectNext, Escape: () => select(null),
    }[e.key];
    if (!does || e.ctrlKey || e.metaKey || e.altKey) return;
    e.preventDefault();
    does();
  });
  $('fit').onclick = () => { fitting = true; wholeMap(); };
  $('whole').onclick = wholeMap;
  $('nearer').onclick = () => zoom(2, width() / 2, height() / 2);
  $('farther').onclick = () => zoom(0.5, width() / 2, height() / 2);
  new ResizeObserver(() => { if (page.world) moved(); }).observe(canvas);
}

// selectNext goes from what is selected to the next nearest to the middle of the map.
function selectNext() {
  const near = byDistance(width() / 2, height() / 2, Infinity);
  if (near.length) select(near[(near.indexOf(page.selected) + 1) % near.length]);
}
