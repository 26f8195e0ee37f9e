'use strict';
// The worlds of a cluster, as its registry has them: which process has each, which follow it, and how many players it has.

const shardName = s => (page.world.maps.find(m => m.id === s.map)?.name ?? `map ${s.map}`) + (s.instance ? ` ${s.instance}` : '');
const SHARD_COLUMNS = [ // how they are written, after the name
  s => thousands(s.players), s => s.worker ?? s.state, s => (s.standbys || []).map(f => f.ready ? f.worker : `(${f.worker})`).join(', ') || '–', s => s.epoch, s => thousands(s.tick),
];

// showShards lists the worlds. One that is clicked is shown on the map, whichever process has it.
async function showShards() {
  if (!page.world.cluster) return;
  const r = await fetch('api/cluster').catch(() => null);
  if (!r?.ok) return;
  const { shards } = page.cluster = await r.json();
  $('worlds').hidden = false;
  $('everywhere').textContent = `${thousands(shards.reduce((n, s) => n + s.players, 0))} players`;
  keepRows($('shards'), shards, s => `${s.map}.${s.instance}`, SHARD_COLUMNS, shardName, s => { choose(s.map, s.instance); showShards(); });
  for (const tr of $('shards').children) {
    tr.classList.toggle('selected', tr.item.map === page.map && tr.item.instance === page.instance);
    tr.querySelector('button').disabled = tr.item.worker === null;
  }
}

// keepRows has a table show items, of which each has a key: a button with its name, and columns. Rows of those that were there stay, so that focus does.
function keepRows(body, items, keyOf, columns, nameOf, click) {
  const rows = new Map([...body.children].map(tr => [tr.dataset.key, tr]));
  items.forEach((item, i) => {
    const key = keyOf(item), tr = rows.get(key) || element('tr');
    if (!rows.delete(key)) {
      const name = element('td'), b = element('button', nameOf(item));
      tr.dataset.key = key;
      b.onclick = () => click(tr.item);
      name.append(b);
      tr.append(name, ...columns.map(() => element('td', '', 'number')));
    }
    tr.item = item;
    columns.forEach((write, k) => {
      const now = String(write(item));
      if (tr.children[k + 1].textContent !== now) tr.children[k + 1].textContent = now;
    });
    if (body.children[i] !== tr) body.insertBefore(tr, body.children[i] || null);
  });
  for (const tr of rows.values()) tr.remove();
}

// ---- players at all gateways

const FOUND_COLUMNS = [p => p.world ? shardName(p.world) : 'on the way', p => p.world?.worker ?? '–', p => p.gateway];
const TYPING_PAUSE = 250; // ms after the last change of the text: each question is one for the database
let searched = 0, typing = 0;

// searchPlayers has showFound ask once the text has not changed for a while.
function searchPlayers() {
  clearTimeout(typing);
  typing = setTimeout(() => { typing = 0; showFound(); }, TYPING_PAUSE);
  showFound();
}

// showFound lists the players of the cluster whose names begin with what is searched for. One that is clicked is shown on the map of its world, whichever process has that.
// Nothing is asked while the text changes, nor while the page is hidden.
async function showFound() {
  const text = $('search').value.trim(), mine = ++searched;
  $('anywhere').hidden = !page.world.cluster || !text;
  if ($('anywhere').hidden || typing || document.hidden) return;
  const r = await fetch('api/cluster/players?' + new URLSearchParams({ q: text })).catch(() => null), d = r?.ok ? await r.json().catch(() => null) : null;
  if (mine !== searched) return;
  const players = d?.players ?? [], count = thousands(d?.total ?? 0);
  $('found-count').textContent = !d ? 'the registry does not answer' : !d.total ? 'no player has a name that begins so'
    : d.total > players.length ? `the first ${players.length} of ${count}: write more of the name` : count;
  $('found-table').hidden = !players.length;
  keepRows($('found'), players, p => p.guid, FOUND_COLUMNS, p => p.name, p => goTo({ guid: p.guid, ...p.world }));
  for (const tr of $('found').children) tr.querySelector('button').disabled = !tr.item.world?.worker;
}
