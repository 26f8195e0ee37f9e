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
  const rows = new Map([...$('shards').children].map(tr => [tr.dataset.shard, tr])); // kept, so that focus is
  shards.forEach((s, i) => {
    const key = `${s.map}.${s.instance}`, tr = rows.get(key) || newShard(key, s);
    rows.delete(key);
    tr.classList.toggle('selected', s.map === page.map && s.instance === page.instance);
    tr.firstElementChild.firstElementChild.disabled = s.worker === null;
    SHARD_COLUMNS.forEach((write, k) => {
      const now = String(write(s));
      if (tr.children[k + 1].textContent !== now) tr.children[k + 1].textContent = now;
    });
    if ($('shards').children[i] !== tr) $('shards').insertBefore(tr, $('shards').children[i] || null);
  });
  for (const tr of rows.values()) tr.remove();
}

function newShard(key, s) {
  const tr = element('tr'), name = element('td'), b = element('button', shardName(s));
  tr.dataset.shard = key;
  b.onclick = () => { choose(s.map, s.instance); showShards(); };
  name.append(b);
  tr.append(name, ...SHARD_COLUMNS.map(() => element('td', '', 'number')));
  return tr;
}
