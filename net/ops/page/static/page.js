'use strict';
// The live page. It shows what /api/events tells four times a second of the part of a map that is in view: things one
// by one, or counts of them in blocks where there are too many. North, where x grows, is up; west, where y grows, is
// left. Names come from players, so text only ever enters as text.

const $ = id => document.getElementById(id);
const CELL = 30; // yards, as ecs/grid has it
const PERIOD = 250; // ms from one event to the next, as net/ops/page has it
const KINDS = ['other', 'player', 'creature', 'corpse'];
const ASLEEP = 1, DEAD = 2, FIGHTING = 4, GHOST = 8; // of a state
const PALETTE = ['#4c78d0', '#e0a030', '#e06552', '#5fb8a6', '#8d6cd0', '#5fa34c']; // of the systems that take most

// What is shown, and for tests to read.
const page = {
  world: null, map: 0, view: { x: 0, y: 0, scale: 0.1 }, // pixels per yard
  tick: 0, resting: false, events: 0, frames: 0, bytes: 0,
  things: new Map(), blocks: null, selected: null, entity: null, clock: null, ticks: [], systems: [], names: new Map(),
};
window.page = page;

let source = null, arrived = 0, stale = true, fitting = true, centring = false, connecting = 0;
const grounds = new Map(), spawns = new Map(), colours = new Map();
const opened = new Set(['Position', 'Vitals', 'Object']);

const place = () => page.world.maps.find(m => m.id === page.map);
const css = name => getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
let ink = {};
function readTheme() {
  for (const name of ['back', 'ink', 'faint', 'line', 'accent', 'player', 'creature', 'fighting', 'dead', 'asleep', 'spawn'])
    ink[name] = css(name);
}

function element(tag, text, name) {
  const e = document.createElement(tag);
  if (text !== undefined) e.textContent = text;
  if (name) e.className = name;
  return e;
}

const thousands = n => n.toLocaleString('en');
const micros = us => us < 1000 ? `${us.toFixed(0)} µs` : `${(us / 1000).toFixed(us < 10000 ? 2 : 1)} ms`;

// ---- where things are on the screen

const width = () => $('things').clientWidth, height = () => $('things').clientHeight;
const screenX = y => width() / 2 + (page.view.y - y) * page.view.scale;
const screenY = x => height() / 2 + (page.view.x - x) * page.view.scale;
const worldX = py => page.view.x - (py - height() / 2) / page.view.scale;
const worldY = px => page.view.y - (px - width() / 2) / page.view.scale;

function moved() {
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

// ---- what the server tells

function connect() {
  source?.close();
  const h = place().half, clamp = v => Math.max(-h, Math.min(h, v)).toFixed(1);
  const q = new URLSearchParams({
    map: page.map, minx: clamp(worldX(height())), maxx: clamp(worldX(0)), miny: clamp(worldY(width())), maxy: clamp(worldY(0)),
  });
  if (page.selected) q.set('guid', page.selected);
  const mine = source = new EventSource('api/events?' + q);
  mine.onmessage = e => { if (mine === source) took(e.data); };
  mine.onerror = () => {
    if (mine !== source) return;
    $('lost').hidden = false;
    if (mine.readyState === EventSource.CLOSED) connecting = setTimeout(connect, 2000);
  };
}

function took(text) {
  const d = JSON.parse(text);
  $('lost').hidden = !d.failed;
  $('lost').textContent = d.failed || 'The server does not answer.';
  page.bytes = text.length;
  page.events++;
  if (d.systems) { page.systems = d.systems; page.ticks = []; }
  page.resting = !!d.resting; // the last ticks are then from before
  page.ticks = page.resting ? [] : page.ticks.concat(d.ticks).slice(-200);
  showClock(d.clock);
  drawChart();
  if (d.failed) return;
  page.tick = d.tick;
  page.step_ms = d.step_ms;
  page.flush_ms = d.flush_ms;
  for (const name of ['players', 'awake', 'asleep', 'tick']) $(name).textContent = thousands(d[name]);
  if (page.resting) $('tick').textContent = 'resting';
  page.blocks = d.blocks ? d : null;
  const before = page.things, t = performance.now();
  const share = Math.min(1, (t - arrived) / PERIOD);
  page.things = new Map();
  for (let i = 0; d.things && i < d.things.length; i += 4) {
    const [guid, x, y, what] = d.things.slice(i, i + 4);
    const old = before.get(guid);
    const from = old && Math.hypot(old.x - x, old.y - y) < 60 ? [old.fromX + (old.x - old.fromX) * share, old.fromY + (old.y - old.fromY) * share] : [x, y];
    page.things.set(guid, { x, y, fromX: from[0], fromY: from[1], kind: what >> 4, state: what & 15 });
  }
  arrived = t;
  if (page.selected) showEntity(d.entity);
  if (fitting && d.tick > 0) { fitting = false; fit(); }
}

function eachBlock(b, visit) {
  const side = b.grain * CELL;
  for (let i = 0; i < b.blocks.length; i += 4) {
    const at = b.blocks[i];
    visit(b.left + at % b.columns * side, b.bottom + Math.floor(at / b.columns) * side, side, b.blocks[i + 1], b.blocks[i + 2], b.blocks[i + 3]);
  }
}

// ---- the map

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
  if (image?.complete) c.drawImage(image, left, top, side, side);
  c.strokeStyle = ink.line;
  c.strokeRect(left, top, side, side);
  if (CELL * s >= 14) lines(c, CELL, m);
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
function lines(c, step, m) {
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
  const c = prepare($('things')), s = page.view.scale, share = Math.min(1, (performance.now() - arrived) / PERIOD);
  let fullest = 0;
  if (page.blocks) {
    eachBlock(page.blocks, (x, y, side, awake, asleep, players) => {
      const px = screenX(y + side), py = screenY(x + side), size = side * s;
      const cells = page.blocks.grain ** 2;
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
    return;
  }
  const cells = new Map();
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
  const size = Math.max(1.6, Math.min(6, 1.7 + s * 1.1));
  for (const wanted of [2, 0, 3, 1]) { // players above all others
    for (const [guid, t] of page.things) if (t.kind === wanted) drawThing(c, guid, t, share, size);
  }
}

function drawThing(c, guid, t, share, size) {
  const px = screenX(t.fromY + (t.y - t.fromY) * share), py = screenY(t.fromX + (t.x - t.fromX) * share);
  const r = t.kind === 1 ? size * 1.15 : size * 0.85;
  const colour = t.state & ASLEEP ? ink.asleep : ink[KINDS[t.kind]] || ink.dead;
  c.globalAlpha = t.state & GHOST ? 0.4 : 1;
  c.beginPath();
  c.arc(px, py, r, 0, 7);
  if (t.state & DEAD || t.kind === 3) {
    c.strokeStyle = ink.dead;
    c.lineWidth = 1.5;
    c.stroke();
  } else {
    c.fillStyle = colour;
    c.fill();
    if (t.state & FIGHTING) {
      c.strokeStyle = ink.fighting;
      c.lineWidth = Math.max(1.2, r * 0.4);
      c.stroke();
    }
  }
  if (t.kind === 1 && page.view.scale > 2.2 && page.names.has(guid)) {
    c.fillStyle = ink.ink;
    c.font = '11px system-ui, sans-serif';
    c.fillText(page.names.get(guid), px + r + 4, py + 4);
  }
  c.globalAlpha = 1;
  if (guid === page.selected) {
    c.strokeStyle = ink.accent;
    c.lineWidth = 2;
    c.beginPath();
    c.arc(px, py, r + 5, 0, 7);
    c.stroke();
  }
}

function load(fullest, grain) {
  const where = grain === 1 ? 'a cell' : `${thousands(grain * CELL)} yards`;
  $('load').textContent = fullest ? `up to ${thousands(fullest)} awake in ${where}` : '';
}

function drawScale() {
  let yards = 1;
  for (const next of [10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000]) if (next * page.view.scale < 140) yards = next;
  $('scale').firstElementChild.style.width = `${yards * page.view.scale}px`;
  $('scale').lastElementChild.textContent = `${thousands(yards)} yd`;
}

function frame() {
  page.frames++;
  if (stale) { drawGround(); drawScale(); }
  if (stale || performance.now() - arrived < 2 * PERIOD) drawThings();
  stale = false;
  requestAnimationFrame(frame);
}

// ---- the side

// drawChart stacks what the systems took in the last ticks; those that take most have a colour.
function drawChart() {
  const c = prepare($('chart')), w = $('chart').clientWidth, h = $('chart').clientHeight, ticks = page.ticks;
  if (!ticks.length) {
    $('took').textContent = page.resting ? 'this map has no players and is not stepped' : '';
    $('systems').replaceChildren();
    return;
  }
  const mean = page.systems.map((_, i) => ticks.reduce((sum, t) => sum + t[2 + i], 0) / ticks.length);
  const top = mean.map((_, i) => i).sort((a, b) => mean[b] - mean[a]).slice(0, PALETTE.length);
  for (const i of colours.keys()) if (!top.includes(i)) colours.delete(i);
  for (const i of top) if (!colours.has(i)) colours.set(i, PALETTE.find(p => ![...colours.values()].includes(p)));
  const order = [...top].sort((a, b) => a - b);
  const sorted = ticks.map(t => t[1]).sort((a, b) => a - b), part = p => sorted[Math.floor((sorted.length - 1) * p)];
  let high = 100;
  for (const next of [200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5, 5e5, 1e6]) if (high < part(0.9) * 1.6) high = next;
  const bar = w / 200, pixels = us => Math.min(us / high, 1) * (h - 16);
  c.save();
  c.rect(0, 16, w, h);
  c.clip();
  ticks.forEach((t, k) => {
    const x = w - (ticks.length - k) * bar;
    let y = h, rest = t[1];
    for (const i of order) {
      const tall = pixels(t[2 + i]);
      c.fillStyle = colours.get(i);
      c.fillRect(x, y -= tall, bar * 0.85, tall);
      rest -= t[2 + i];
    }
    c.fillStyle = ink.asleep;
    c.fillRect(x, y - pixels(Math.max(0, rest)), bar * 0.85, pixels(Math.max(0, rest)));
  });
  c.restore();
  c.fillStyle = ink.faint;
  c.font = '11px system-ui, sans-serif';
  c.fillText(micros(high), 0, 10);
  c.fillRect(0, 15, w, 0.5);
  $('took').textContent = `p50 ${micros(part(0.5))} · p99 ${micros(part(0.99))} of ${page.step_ms || page.world.step_ms} ms`
    + (page.flush_ms ? `, sent every ${page.flush_ms} ms` : '');
  const item = (colour, name, us) => {
    const li = element('li', undefined), i = element('i');
    i.style.background = colour;
    li.append(i, name, element('b', micros(us)));
    return li;
  };
  const others = mean.reduce((sum, us, i) => sum + (top.includes(i) ? 0 : us), 0);
  $('systems').replaceChildren(...top.map(i => item(colours.get(i), page.systems[i], mean[i])), item(ink.asleep, 'others', others));
}

function showClock(clock) {
  page.clock = clock;
  $('clock').hidden = !clock.virtual;
  $('pause').textContent = clock.speed ? 'pause' : 'run';
  $('now').textContent = `${(clock.now_ms / 1000 || 0).toFixed(2)} s`;
}

async function turn(order) {
  const r = await fetch('api/clock', { method: 'POST', body: JSON.stringify(order) });
  if (r.ok) showClock(await r.json());
}

function select(guid) {
  page.selected = guid;
  page.entity = null;
  stale = true;
  $('entity').hidden = !guid;
  $('who').textContent = $('guid').textContent = '';
  $('components').replaceChildren();
  connect();
}

// text writes a value: numbers as they are, runs of zeros in an array as one.
function text(v) {
  if (typeof v === 'number') return Number.isInteger(v) ? String(v) : v.toFixed(3).replace(/\.?0+$/, '');
  if (Array.isArray(v)) {
    const out = [];
    for (let i = 0, n; i < v.length; i += n) {
      for (n = 1; v[i] === 0 && v[i + n] === 0;) n++;
      out.push(n > 2 ? `0 (${n} times)` : Array(n).fill(text(v[i])).join(' '));
    }
    return out.join(v.some(x => typeof x === 'object') ? ' · ' : ' ') || '–';
  }
  if (v && typeof v === 'object') return Object.entries(v).map(([k, x]) => `${k} ${text(x)}`).join(', ');
  return String(v);
}

// rank brings to the top what tells most.
const FIRST = ['Position', 'Vitals', 'Object', 'Unit', 'Motion', 'Walk'];
const rank = c => FIRST.includes(c.name) ? FIRST.indexOf(c.name) : FIRST.length;

// showEntity shows all components of the one that is selected; what has changed since the last event is coloured.
function showEntity(e) {
  page.entity = e;
  e?.components.sort((a, b) => rank(a) - rank(b));
  if (!e) {
    $('who').textContent = 'gone';
    return;
  }
  if (centring) {
    centring = false;
    [page.view.x, page.view.y] = [e.x, e.y];
    moved();
  }
  $('who').textContent = e.name || e.kind;
  $('guid').textContent = [e.guid, e.kind, ...e.state].join(' · ');
  const list = $('components'), same = list.childElementCount === e.components.length;
  if (!same) list.replaceChildren();
  e.components.forEach((c, i) => {
    let d = list.children[i];
    if (!d) {
      d = element('details');
      d.dataset.name = c.name;
      d.open = opened.has(c.name);
      d.addEventListener('toggle', () => opened[d.open ? 'add' : 'delete'](c.name));
      d.append(element('summary', c.name), element('dl'));
      for (const field of Object.keys(c.fields)) d.lastElementChild.append(element('dt', field), element('dd'));
      list.append(d);
    }
    Object.values(c.fields).forEach((v, k) => {
      const dd = d.lastElementChild.children[2 * k + 1], now = text(v);
      dd.className = dd.textContent && dd.textContent !== now ? 'changed' : '';
      if (dd.textContent !== now) dd.textContent = now;
    });
  });
}

// showSessions lists who is in a world, and what is written for them and not yet sent.
async function showSessions() {
  const r = await fetch('api/sessions?n=200').catch(() => null);
  if (!r?.ok) return;
  const d = await r.json();
  page.names = new Map(d.sessions.map(s => ['0x' + BigInt(s.guid).toString(16), s.name]));
  $('online').textContent = thousands(d.total);
  const row = (cell, values) => {
    const tr = element('tr');
    values.forEach((v, i) => tr.append(element(cell, v, i % 3 ? 'number' : '')));
    return tr;
  };
  $('head').replaceChildren(row('th', ['name', 'level', 'queued', 'map']));
  $('sessions').replaceChildren(...d.sessions.map(s => {
    const map = page.world.maps.find(m => m.id === s.map);
    const tr = row('td', [s.name, s.level, `${thousands(s.queued_bytes)} B`, map ? map.name : s.map]);
    tr.onclick = () => goTo(s);
    return tr;
  }));
}

// goTo shows where a session's player is, and all of it.
function goTo(session) {
  if (session.map !== page.map) choose(session.map);
  fitting = false;
  centring = true;
  page.view.scale = Math.max(page.view.scale, 3);
  select('0x' + BigInt(session.guid).toString(16));
}

// ---- begin

async function choose(id) {
  page.map = id;
  page.things = new Map();
  page.blocks = null;
  page.ticks = [];
  fitting = true;
  for (const b of $('maps').children) b.ariaSelected = String(Number(b.dataset.id) === id);
  if (!grounds.has(id)) {
    const image = new Image();
    image.onload = () => { stale = true; };
    image.src = `api/maps/${id}/ground.png`;
    grounds.set(id, image);
    fetch(`api/maps/${id}/spawns`).then(r => r.arrayBuffer()).then(b => { spawns.set(id, new Int16Array(b)); stale = true; });
  }
  wholeMap();
}

function listen() {
  const canvas = $('things');
  let down = null;
  canvas.addEventListener('pointerdown', e => {
    down = { x: e.clientX, y: e.clientY, view: { ...page.view }, far: false };
    canvas.setPointerCapture(e.pointerId);
  });
  canvas.addEventListener('pointermove', e => {
    if (!down) return;
    const dx = e.clientX - down.x, dy = e.clientY - down.y;
    if (!down.far && Math.hypot(dx, dy) < 4) return;
    down.far = true;
    fitting = false;
    canvas.className = 'dragged';
    page.view.y = down.view.y + dx / page.view.scale;
    page.view.x = down.view.x + dy / page.view.scale;
    moved();
  });
  canvas.addEventListener('pointerup', e => {
    if (down && !down.far) pick(e.offsetX, e.offsetY);
    down = null;
    canvas.className = '';
  });
  canvas.addEventListener('wheel', e => {
    e.preventDefault();
    zoom(Math.exp(-e.deltaY * 0.0016), e.offsetX, e.offsetY);
  }, { passive: false });
  $('fit').onclick = () => { fitting = true; wholeMap(); };
  $('whole').onclick = wholeMap;
  $('close').onclick = () => select(null);
  $('pause').onclick = () => turn(page.clock.speed ? { do: 'pause' } : { do: 'run', speed: Number($('speed').value) });
  $('step').onclick = () => turn({ do: 'step' });
  $('speed').onchange = () => { if (page.clock.speed) turn({ do: 'run', speed: Number($('speed').value) }); };
  addEventListener('resize', moved);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => { readTheme(); stale = true; });
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

// pick selects what is nearest to a point of the screen, or goes nearer to where there is too much.
function pick(px, py) {
  if (page.blocks) return zoom(3, px, py);
  let best = null, least = 14;
  for (const [guid, t] of page.things) {
    const far = Math.hypot(screenX(t.y) - px, screenY(t.x) - py);
    if (far < least) [best, least] = [guid, far];
  }
  if (best) select(best);
}

async function begin() {
  readTheme();
  page.world = await (await fetch('api/world')).json();
  $('release').textContent = page.world.release;
  for (const m of page.world.maps) {
    const b = element('button', m.name);
    b.dataset.id = m.id;
    b.role = 'tab';
    b.onclick = () => choose(m.id);
    $('maps').append(b);
  }
  listen();
  choose(page.world.maps[0].id);
  showSessions();
  setInterval(showSessions, 2000);
  requestAnimationFrame(frame);
}

begin();
