// Package layers is the import policy of the module, as two tables; its tests compare the code with
// them, and check the few other rules that no linter has. A failing import is a design question:
// change the design, or change a line here and say why in the commit.
package layers

// A kind of package, by what it may lean on.
type kind string

const (
	vocabulary kind = "vocabulary" // what things are: no behaviour
	rule       kind = "rule"       // what systems share that acts: one way in for each
	system     kind = "system"     // what happens to them in a tick; systems meet in components and queues
	tick       kind = "tick"       // the order of systems
	edge       kind = "edge"       // bytes in and out
	loader     kind = "loader"     // data in and out
	helper     kind = "helper"     // part of no product
	bench      kind = "bench"      // measures the whole
	command    kind = "command"    // puts the whole together
)

// leansOn is which kinds a kind may import.
var leansOn = map[kind][]kind{
	vocabulary: {vocabulary},
	rule:       {vocabulary, helper},
	system:     {vocabulary, helper, rule},
	tick:       {vocabulary, helper, rule, system},
	edge:       {vocabulary, helper, edge},
	loader:     {vocabulary, helper},
	helper:     {vocabulary, helper},
	bench:      {vocabulary, helper, rule, system, tick, edge, loader, bench},
	command:    {vocabulary, helper, rule, system, tick, edge, loader, bench, command},
}

// strata are the folders of the module from the lowest to the highest. A package imports nothing of a stratum above its
// own. What is in internal serves all of them and is in none.
var strata = []string{
	"ecs",             // entities, components, events: the store
	"components",      // what entities are made of
	"sched",           // when systems run
	"net/protocol",    // what is on the wire
	"net/replication", // what goes between a world and its gateways, and how it is recorded
	"loaders",         // where worlds and characters come from
	"systems",         // what happens in a tick
	"net/gateway",     // sockets and sessions of players
	"net/login",       // accounts, and the login protocol
	"net/ops",         // metrics, page and commands for operators
	"bench",           // measurements of all of it
	"mustertest",      // servers for tests of bots
	"cmd",             // the program
}

// A row says what a package imports of the module, in alphabetical order: no more, and no less.
type row struct {
	pkg     string
	kind    kind
	imports string // separated by spaces
}

// packages has every package of the module.
var packages = []row{
	{"bench", bench, "bench/chart bench/fightscene bench/naive bench/peer bench/stores bench/swarm bench/visibility bench/walkscene components components/defs components/life ecs/grid internal/pgtest loaders/registry loaders/store loaders/store/journal loaders/store/postgres loaders/store/sqlite loaders/synth loaders/worlddb/invented net/gateway net/gateway/session net/login net/ops/flight net/protocol/crypt net/protocol/msg net/protocol/update net/protocol/wire net/replication/frame net/replication/inspect net/replication/natsbus net/replication/recording net/replication/worldlog sched sched/ladder sched/tickstats systems systems/persist"},
	{"bench/chart", bench, ""},
	{"bench/fightscene", bench, "components components/defs components/life ecs/grid net/protocol/msg net/protocol/wire net/replication/frame systems/respawn"},
	{"bench/naive", bench, "components components/defs ecs/grid net/protocol/crypt net/protocol/msg net/protocol/update net/protocol/wire net/replication/frame sched systems/respawn systems/rules"},
	{"bench/peer", bench, "bench/chart bench/swarm"},
	{"bench/stores", bench, "ecs"},
	{"bench/swarm", bench, "internal/conformance net/login net/protocol/crypt net/protocol/msg net/protocol/update net/protocol/wire"},
	{"bench/visibility", bench, "ecs/grid net/protocol/wire net/replication/frame"},
	{"bench/walkscene", bench, "bench/fightscene components/defs components/life net/protocol/msg net/protocol/wire net/replication/frame"},
	{"cmd/internal/adminclient", command, ""},
	{"cmd/internal/checker", command, "components/life loaders/store"},
	{"cmd/internal/cluster", command, "cmd/internal/credentials cmd/internal/flags cmd/internal/link cmd/internal/membership cmd/internal/orchestrator cmd/internal/process cmd/internal/realmlist cmd/internal/storage cmd/internal/worldset cmd/internal/worldspec internal/pgtest loaders/registry net/replication/natsbus net/replication/remote"},
	{"cmd/internal/clusterview", command, "cmd/internal/storage loaders/registry net/ops/console net/ops/page"},
	{"cmd/internal/completion", command, "cmd/internal/flags net/protocol/command"},
	{"cmd/internal/credentials", command, "cmd/internal/link net/replication/natsbus"},
	{"cmd/internal/ctlsocket", command, "cmd/internal/storage net/ops/console"},
	{"cmd/internal/demand", command, "cmd/internal/process net/replication/remote"},
	{"cmd/internal/flags", command, "internal/config internal/limit net/gateway/instances net/ops/admin"},
	{"cmd/internal/instancelog", command, "cmd/internal/wholefile internal/directory internal/limit internal/metric net/gateway/instances net/replication/worldlog"},
	{"cmd/internal/keptworld", command, "cmd/internal/demand cmd/internal/flags cmd/internal/link cmd/internal/playback cmd/internal/release cmd/internal/storage cmd/internal/worldset cmd/internal/worldspec components/defs internal/config internal/metric loaders/store/journal net/replication/natsbus net/replication/recording net/replication/remote net/replication/streamlog net/replication/worldlog"},
	{"cmd/internal/lease", command, "cmd/internal/membership cmd/internal/storage loaders/registry"},
	{"cmd/internal/limitlist", command, "cmd/internal/flags cmd/internal/instancelog cmd/internal/orchestrator cmd/internal/playback cmd/internal/storesnapshot internal/limit internal/metric loaders/dbc loaders/store loaders/store/journal net/gateway net/gateway/claims net/gateway/instances net/gateway/relay net/gateway/session net/login net/login/account net/ops/admin net/ops/console net/ops/control net/ops/flight net/ops/page net/protocol/msg net/replication/remote net/replication/span net/replication/streamlog net/replication/worldlog systems/intake systems/movement systems/reload systems/smartai systems/trade"},
	{"cmd/internal/link", command, "net/replication/natsbus"},
	{"cmd/internal/listener", command, ""},
	{"cmd/internal/loginpolicy", command, "internal/metric net/login/account net/protocol/command"},
	{"cmd/internal/loginserver", command, "cmd/internal/flags cmd/internal/loginpolicy cmd/internal/membership cmd/internal/process cmd/internal/realmlist cmd/internal/release cmd/internal/seats cmd/internal/storage internal/metric loaders/registry loaders/store/database loaders/store/postgres net/login net/ops/admin"},
	{"cmd/internal/manual", command, "cmd/internal/release"},
	{"cmd/internal/membership", command, "cmd/internal/storage loaders/registry"},
	{"cmd/internal/orchestrator", command, "cmd/internal/clusterview cmd/internal/flags cmd/internal/link cmd/internal/membership cmd/internal/process cmd/internal/release cmd/internal/storage internal/limit internal/metric internal/scaler loaders/registry net/gateway/instances net/ops/admin net/ops/console net/ops/page net/replication/natsbus net/replication/remote"},
	{"cmd/internal/playback", command, "cmd/internal/release cmd/internal/worldspec components components/defs internal/limit internal/metric net/protocol/msg net/protocol/wire net/replication/frame net/replication/recording systems"},
	{"cmd/internal/process", command, ""},
	{"cmd/internal/readyfile", command, ""},
	{"cmd/internal/realm", command, "cmd/internal/clusterview cmd/internal/ctlsocket cmd/internal/flags cmd/internal/instancelog cmd/internal/lease cmd/internal/link cmd/internal/listener cmd/internal/loginpolicy cmd/internal/membership cmd/internal/process cmd/internal/readyfile cmd/internal/realmlist cmd/internal/realmstore cmd/internal/release cmd/internal/seats cmd/internal/storage cmd/internal/storesnapshot cmd/internal/terminal cmd/internal/upgrade cmd/internal/worldreload cmd/internal/worldset cmd/internal/worldspec components/defs internal/config internal/metric loaders/registry loaders/store loaders/store/journal loaders/synth loaders/worlddb/content net/gateway net/gateway/claims net/gateway/instances net/gateway/relay net/gateway/session net/login net/login/account net/ops/admin net/ops/console net/ops/control net/ops/page net/protocol/command net/replication/frame net/replication/inspect net/replication/natsbus net/replication/recording net/replication/remote net/replication/span net/replication/worldlog sched sched/tickstats systems"},
	{"cmd/internal/realmlist", command, "cmd/internal/membership loaders/registry loaders/store net/login"},
	{"cmd/internal/realmstore", command, "cmd/internal/flags cmd/internal/storage internal/config internal/metric loaders/store loaders/store/journal loaders/store/portable loaders/store/postgres loaders/store/sqlite"},
	{"cmd/internal/release", command, ""},
	{"cmd/internal/replay", command, "cmd/internal/flags cmd/internal/keptworld cmd/internal/link cmd/internal/playback cmd/internal/release net/ops/flight net/replication/recording net/replication/worldlog"},
	{"cmd/internal/replica", command, "cmd/internal/demand cmd/internal/link cmd/internal/process cmd/internal/release cmd/internal/upgrade cmd/internal/worldset cmd/internal/worldspec components/defs internal/metric loaders/registry net/ops/flight net/replication/frame net/replication/natsbus net/replication/recording net/replication/remote net/replication/streamlog sched systems"},
	{"cmd/internal/scriptreport", command, "loaders/worlddb/content"},
	{"cmd/internal/seats", command, ""},
	{"cmd/internal/sessiontrace", command, "cmd/internal/adminclient cmd/internal/flags cmd/internal/playback net/protocol/msg net/protocol/trace net/protocol/wire net/replication/frame net/replication/recording"},
	{"cmd/internal/spellsupport", command, "components/defs systems/aura systems/spell"},
	{"cmd/internal/storage", command, "cmd/internal/flags loaders/store/postgres"},
	{"cmd/internal/storesnapshot", command, "internal/limit loaders/store loaders/store/portable"},
	{"cmd/internal/terminal", command, "net/login/account"},
	{"cmd/internal/topview", command, "cmd/internal/adminclient cmd/internal/flags net/ops/admin"},
	{"cmd/internal/upgrade", command, "cmd/internal/process cmd/internal/release cmd/internal/storage cmd/internal/worldspec loaders/registry net/ops/console net/replication/recording net/replication/remote"},
	{"cmd/internal/wholefile", command, ""},
	{"cmd/internal/worker", command, "cmd/internal/clusterview cmd/internal/flags cmd/internal/link cmd/internal/membership cmd/internal/process cmd/internal/replica cmd/internal/storage cmd/internal/upgrade cmd/internal/worldset cmd/internal/worldspec components/defs internal/metric loaders/registry net/ops/admin net/ops/page net/replication/natsbus net/replication/remote net/replication/streamlog sched/ladder sched/tickstats"},
	{"cmd/internal/worldfork", command, "cmd/internal/flags cmd/internal/keptworld cmd/internal/membership cmd/internal/process cmd/internal/release cmd/internal/worldset cmd/internal/worldspec components internal/metric net/ops/admin net/ops/control net/ops/page net/protocol/command net/protocol/msg net/protocol/speech net/protocol/wire net/replication/frame net/replication/inspect sched sched/ladder sched/tickstats systems"},
	{"cmd/internal/worldreload", command, "cmd/internal/worldspec components/defs loaders/worlddb/content net/replication/frame"},
	{"cmd/internal/worldset", command, "cmd/internal/playback cmd/internal/release cmd/internal/worldspec components/defs components/life internal/metric loaders/store loaders/store/journal net/gateway net/ops/flight net/ops/page net/protocol/msg net/protocol/wire net/replication/change net/replication/frame net/replication/inspect net/replication/recording net/replication/span net/replication/worldlog sched sched/ladder sched/tickstats systems systems/smartai"},
	{"cmd/internal/worldspec", command, "cmd/internal/flags cmd/internal/link cmd/internal/release cmd/internal/storage components/defs internal/metric loaders/synth loaders/worlddb loaders/worlddb/content net/replication/frame net/replication/recording net/replication/streamlog sched/ladder systems systems/death"},
	{"cmd/muster", command, "bench bench/swarm cmd/internal/adminclient cmd/internal/cluster cmd/internal/completion cmd/internal/credentials cmd/internal/ctlsocket cmd/internal/demand cmd/internal/flags cmd/internal/keptworld cmd/internal/limitlist cmd/internal/loginpolicy cmd/internal/loginserver cmd/internal/manual cmd/internal/orchestrator cmd/internal/process cmd/internal/realm cmd/internal/realmstore cmd/internal/release cmd/internal/replay cmd/internal/scriptreport cmd/internal/sessiontrace cmd/internal/spellsupport cmd/internal/storage cmd/internal/terminal cmd/internal/topview cmd/internal/wholefile cmd/internal/worker cmd/internal/worldfork cmd/internal/worldspec internal/config loaders/store loaders/store/portable loaders/synth loaders/worlddb loaders/worlddb/content loaders/worlddb/dump net/login net/login/account net/ops/console net/ops/flight net/protocol/command net/replication/natsbus net/replication/streamlog systems"},
	{"components", vocabulary, "components/life ecs ecs/grid"},
	{"components/defs", vocabulary, ""},
	{"components/life", vocabulary, ""},
	{"components/move", vocabulary, "components components/life ecs"},
	{"docs", helper, ""},
	{"ecs", vocabulary, ""},
	{"ecs/digest", vocabulary, "ecs"},
	{"ecs/grid", vocabulary, ""},
	{"ecs/snapshot", vocabulary, ""},
	{"ecs/space", vocabulary, "ecs ecs/grid"},
	{"internal/config", helper, ""},
	{"internal/conformance", helper, "net/protocol/msg net/protocol/update net/protocol/wire"},
	{"internal/corrupt", helper, ""},
	{"internal/directory", helper, ""},
	{"internal/golden", helper, "net/protocol/wire"},
	{"internal/hostile", helper, ""},
	{"internal/layers", helper, ""},
	{"internal/limit", vocabulary, ""},
	{"internal/metric", vocabulary, "internal/limit"},
	{"internal/metric", helper, "internal/limit"},
	{"internal/mutants", helper, ""},
	{"internal/natstest", helper, ""},
	{"internal/ociimage", helper, ""},
	{"internal/odometer", helper, "components ecs sched"},
	{"internal/pgtest", helper, ""},
	{"internal/pin", helper, ""},
	{"internal/rawio", vocabulary, ""},
	{"internal/refuse", vocabulary, ""},
	{"internal/scaler", helper, ""},
	{"internal/skew", helper, ""},
	{"internal/slowdisk", helper, ""},
	{"internal/testnet", helper, ""},
	{"internal/testseed", helper, ""},
	{"internal/vectors", helper, ""},
	{"loaders/dbc", loader, "internal/limit"},
	{"loaders/registry", loader, ""},
	{"loaders/store", loader, "components/life internal/limit net/replication/frame"},
	{"loaders/store/database", loader, "components/life loaders/store"},
	{"loaders/store/journal", loader, "components/life internal/directory internal/limit internal/metric loaders/store net/protocol/msg net/protocol/wire net/replication/frame"},
	{"loaders/store/portable", loader, "loaders/store"},
	{"loaders/store/postgres", loader, "loaders/store loaders/store/database"},
	{"loaders/store/sqlite", loader, "loaders/store loaders/store/database"},
	{"loaders/store/storetest", loader, "components/life internal/testseed loaders/store"},
	{"loaders/synth", loader, "components components/defs"},
	{"loaders/worlddb", loader, "internal/directory loaders/worlddb/pages loaders/worlddb/sqldump"},
	{"loaders/worlddb/content", loader, "components components/defs loaders/dbc loaders/worlddb net/protocol/msg"},
	{"loaders/worlddb/dump", loader, "components components/defs loaders/worlddb/sqldump"},
	{"loaders/worlddb/invented", loader, "loaders/worlddb/sqldump"},
	{"loaders/worlddb/pages", loader, ""},
	{"loaders/worlddb/sqldump", loader, ""},
	{"mustertest", bench, "internal/conformance net/login net/protocol/crypt net/protocol/msg net/protocol/wire"},
	{"net/gateway", edge, "components/life ecs/grid internal/limit internal/metric internal/refuse loaders/store net/gateway/session net/protocol/command net/protocol/msg net/protocol/speech net/protocol/trace net/protocol/update net/protocol/wire net/replication/change net/replication/frame net/replication/span sched/finetimer sched/ladder"},
	{"net/gateway/claims", edge, "internal/limit internal/metric loaders/registry net/gateway net/replication/remote"},
	{"net/gateway/instances", edge, "internal/limit internal/metric loaders/registry net/gateway net/protocol/msg net/protocol/wire net/replication/remote"},
	{"net/gateway/relay", edge, "internal/limit internal/metric net/gateway net/protocol/msg net/protocol/wire net/replication/remote"},
	{"net/gateway/session", edge, "components components/defs internal/limit internal/metric internal/refuse net/protocol/command net/protocol/crypt net/protocol/msg net/protocol/speech net/protocol/wire net/replication/frame"},
	{"net/login", edge, "internal/limit internal/metric internal/refuse loaders/store net/login/account net/protocol/crypt net/protocol/wire"},
	{"net/login/account", edge, "internal/limit internal/metric loaders/store net/protocol/crypt"},
	{"net/ops/admin", edge, "internal/limit internal/metric net/gateway net/protocol/msg net/protocol/trace sched/ladder sched/tickstats"},
	{"net/ops/console", edge, "internal/limit internal/metric net/gateway net/gateway/instances net/protocol/command net/protocol/msg net/protocol/speech sched/tickstats"},
	{"net/ops/control", edge, "components components/life internal/limit internal/metric loaders/store net/gateway net/login/account net/ops/admin net/ops/console net/protocol/command net/protocol/crypt net/protocol/msg net/protocol/wire net/replication/change net/replication/frame net/replication/inspect sched"},
	{"net/ops/flight", edge, "internal/limit internal/metric net/replication/frame net/replication/recording sched/tickstats"},
	{"net/ops/page", edge, "components components/defs ecs ecs/grid internal/limit internal/metric net/ops/admin net/replication/inspect sched sched/ladder sched/tickstats"},
	{"net/protocol/command", vocabulary, ""},
	{"net/protocol/crypt", edge, ""},
	{"net/protocol/msg", vocabulary, "components net/protocol/wire"},
	{"net/protocol/speech", vocabulary, ""},
	{"net/protocol/trace", edge, "net/protocol/msg net/protocol/update net/protocol/wire"},
	{"net/protocol/update", vocabulary, "components net/protocol/msg net/protocol/wire"},
	{"net/protocol/wire", vocabulary, ""},
	{"net/replication/change", vocabulary, "components components/life ecs ecs/grid net/protocol/msg net/protocol/wire net/replication/frame sched"},
	{"net/replication/frame", vocabulary, "components components/life ecs/grid net/protocol/msg net/protocol/update net/protocol/wire"},
	{"net/replication/inspect", vocabulary, "ecs"},
	{"net/replication/natsbus", edge, "internal/rawio net/replication/streamlog"},
	{"net/replication/recording", loader, "net/replication/frame"},
	{"net/replication/remote", edge, "components components/life ecs/grid internal/limit internal/metric net/replication/frame"},
	{"net/replication/span", edge, "internal/limit internal/metric internal/refuse net/protocol/msg net/replication/frame"},
	{"net/replication/streamlog", edge, "internal/limit internal/metric internal/rawio net/replication/frame net/replication/recording net/replication/worldlog"},
	{"net/replication/worldlog", edge, "internal/directory internal/limit internal/metric net/replication/frame net/replication/recording"},
	{"sched", vocabulary, "ecs internal/metric sched/finetimer"},
	{"sched/finetimer", vocabulary, "internal/rawio"},
	{"sched/ladder", vocabulary, ""},
	{"sched/tickstats", helper, "ecs/grid internal/metric sched"},
	{"systems", tick, "components components/defs ecs ecs/digest ecs/grid ecs/snapshot ecs/space internal/metric internal/refuse net/protocol/msg net/protocol/update net/protocol/wire net/replication/change net/replication/frame net/replication/inspect sched sched/tickstats systems/ai systems/aura systems/combat systems/condition systems/death systems/experience systems/fall systems/fanout systems/gameevent systems/gameobject systems/gm systems/goods systems/gossip systems/intake systems/inventory systems/logout systems/loot systems/movement systems/persist systems/reload systems/respawn systems/rules systems/smartai systems/social systems/spell systems/stats systems/target systems/threat systems/trade systems/trainer systems/unit systems/vendor systems/visibility systems/vitals"},
	{"systems/ai", system, "components components/defs ecs ecs/grid ecs/space net/protocol/msg net/protocol/update net/replication/change net/replication/frame sched systems/rules"},
	{"systems/aura", system, "components components/defs components/life components/move ecs net/protocol/msg net/replication/change sched systems/rules"},
	{"systems/combat", system, "components components/defs components/move ecs ecs/space net/protocol/msg net/replication/change sched systems/rules"},
	{"systems/condition", system, "components components/defs ecs ecs/grid ecs/space sched systems/rules"},
	{"systems/death", system, "components components/defs components/life components/move ecs ecs/grid ecs/space net/protocol/msg net/protocol/wire net/replication/change sched systems/goods systems/rules"},
	{"systems/experience", system, "components components/defs components/life ecs ecs/space net/protocol/msg net/replication/change sched systems/rules"},
	{"systems/fall", system, "components components/defs components/move ecs sched systems/rules"},
	{"systems/fanout", system, "components components/defs components/life ecs ecs/grid ecs/space net/protocol/msg net/protocol/update net/protocol/wire net/replication/change net/replication/frame sched systems/record systems/rules"},
	{"systems/gameevent", system, "components components/defs ecs ecs/space net/replication/change net/replication/frame sched systems/rules"},
	{"systems/gameobject", system, "components components/defs components/life components/move ecs ecs/grid ecs/space net/protocol/msg net/replication/change sched systems/rules"},
	{"systems/gm", system, "components components/defs components/life components/move ecs ecs/grid ecs/space net/protocol/command net/protocol/msg net/replication/change net/replication/frame sched systems/goods systems/rules"},
	{"systems/goods", rule, "components components/defs ecs net/protocol/msg"},
	{"systems/gossip", system, "components components/defs ecs ecs/grid net/protocol/msg net/replication/change sched systems/rules"},
	{"systems/intake", system, "components components/defs components/life components/move ecs ecs/grid ecs/space internal/limit net/protocol/command net/protocol/msg net/protocol/wire net/replication/change net/replication/frame sched systems/goods systems/record systems/rules"},
	{"systems/inventory", system, "components components/defs components/life ecs ecs/grid net/protocol/msg net/protocol/update net/replication/change net/replication/frame sched systems/goods systems/rules"},
	{"systems/logout", system, "components ecs net/protocol/msg net/replication/change net/replication/frame sched systems/rules"},
	{"systems/loot", system, "components components/defs ecs ecs/grid ecs/space net/protocol/msg net/protocol/update net/replication/change net/replication/frame sched systems/goods systems/rules"},
	{"systems/movement", system, "components components/defs components/life components/move ecs ecs/grid ecs/space internal/limit net/protocol/msg net/protocol/update net/protocol/wire net/replication/change net/replication/frame sched"},
	{"systems/persist", system, "components ecs net/protocol/msg net/protocol/wire net/replication/change net/replication/frame sched systems/record systems/rules"},
	{"systems/record", rule, "components components/defs components/life ecs net/replication/frame sched systems/rules"},
	{"systems/reload", system, "components/defs ecs internal/limit net/protocol/command net/replication/change net/replication/frame sched systems/rules"},
	{"systems/respawn", system, "components components/defs ecs ecs/grid ecs/space net/replication/change sched systems/rules"},
	{"systems/rules", rule, "components components/defs ecs ecs/grid ecs/space net/protocol/msg sched"},
	{"systems/smartai", system, "components components/defs components/life components/move ecs ecs/grid ecs/space internal/limit net/protocol/msg net/replication/change net/replication/frame sched systems/rules"},
	{"systems/social", system, "components components/defs ecs ecs/grid ecs/space net/protocol/command net/protocol/msg net/protocol/speech net/replication/change net/replication/frame sched systems/rules"},
	{"systems/spell", system, "components components/defs components/life components/move ecs ecs/grid ecs/space net/protocol/msg net/protocol/wire net/replication/change sched systems/goods systems/rules"},
	{"systems/stats", system, "components components/defs components/life components/move ecs net/protocol/msg net/replication/change sched systems/rules"},
	{"systems/target", system, "components ecs net/protocol/msg net/replication/change sched systems/rules"},
	{"systems/threat", system, "components components/move ecs net/protocol/msg net/replication/change net/replication/frame sched systems/rules"},
	{"systems/trade", system, "components components/defs ecs ecs/space internal/limit net/protocol/msg net/replication/change sched systems/goods systems/rules"},
	{"systems/trainer", system, "components components/defs components/life ecs ecs/grid net/protocol/msg net/replication/change sched systems/goods systems/rules"},
	{"systems/unit", system, "components components/defs ecs net/protocol/msg net/replication/change sched systems/rules"},
	{"systems/vendor", system, "components components/defs ecs ecs/grid net/protocol/msg net/protocol/update net/replication/change net/replication/frame sched systems/goods systems/rules"},
	{"systems/visibility", system, "components components/move ecs ecs/grid ecs/space net/replication/change sched"},
	{"systems/vitals", system, "components components/defs ecs net/protocol/msg net/replication/change sched systems/rules"},
}

// An exception lets a package import another against leansOn.
type exception struct{ pkg, imports, because string }

var exceptions = []exception{
	{"loaders/store/database", "loaders/store", "it is a store, on any SQL database"},
	{"loaders/store/journal", "loaders/store", "it is a store, over another"},
	{"loaders/store/portable", "loaders/store", "it writes down what a store keeps"},
	{"loaders/store/postgres", "loaders/store", "errors of the medium become those of a store there"},
	{"loaders/store/postgres", "loaders/store/database", "it is what the store runs on"},
	{"loaders/store/sqlite", "loaders/store", "errors of the medium become those of a store there"},
	{"loaders/store/sqlite", "loaders/store/database", "it is what the store runs on"},
	{"loaders/store/storetest", "loaders/store", "it is the suite that every store passes"},
	{"loaders/worlddb/invented", "loaders/worlddb/sqldump", "it is how values are written"},
	{"loaders/worlddb", "loaders/worlddb/pages", "it is how new worlds are written"},
	{"loaders/worlddb", "loaders/worlddb/sqldump", "it is how dumps are read"},
	{"loaders/worlddb/content", "loaders/dbc", "what a database leaves to the files of a client"},
	{"loaders/worlddb/content", "loaders/worlddb", "it is how an imported world is read"},
	{"loaders/worlddb/dump", "loaders/worlddb/sqldump", "it is how values are written"},
	{"net/login/account", "loaders/store", "accounts are kept there"},
	{"net/gateway", "loaders/store", "characters are listed, made and saved there"},
	{"net/gateway/claims", "loaders/registry", "which gateway has an account is kept there"},
	{"net/gateway/instances", "loaders/registry", "which character is bound to which instance of a realm is kept there"},
	{"net/login", "loaders/store", "accounts are looked up there"},
	{"net/ops/control", "loaders/store", "accounts and characters are looked up there"},
	{"net/ops/flight", "net/replication/recording", "what the last ticks read is a log like any other"},
	{"net/replication/streamlog", "net/replication/recording", "the records and the header of a log are those of a recording"},
	{"net/replication/worldlog", "net/replication/recording", "a log and a snapshot of a world have its formats"},
	{"systems/record", "systems/rules", "what lasts on a character counts as soon as it is there"},
}

// A module is code from outside with the one package that imports it.
type module struct {
	path    string
	homes   string // separated by spaces; "tests" is every test
	because string
}

// modules has every module that is imported. docs/adr/0008-modules.md says why we have them at all.
var modules = []module{
	{"github.com/HdrHistogram/hdrhistogram-go", "bench/swarm", "latencies are measured there"},
	{"github.com/alecthomas/kong", "cmd/internal/completion cmd/internal/flags cmd/internal/manual cmd/muster tests", "only commands read flags, and say which there are"},
	{"github.com/anishathalye/porcupine", "cmd/internal/checker", "histories of logins and saves are checked for linearizability"},
	{"github.com/chromedp/cdproto", "tests", "fingers on the live page, which chromedp has one of"},
	{"github.com/chromedp/chromedp", "tests", "the live page is tried in a real browser"},
	{"github.com/jackc/pgx/v5", "loaders/registry loaders/store/postgres loaders/worlddb", "the rest of the module sees a registry, a store, and a world"},
	{"github.com/klauspost/compress", "loaders/worlddb net/protocol/update net/replication/streamlog", "dumps are compressed, and so are COMPRESSED_UPDATE_OBJECT and snapshots in an object store"},
	{"github.com/mlange-42/ark", "bench/stores", "ours is measured beside it"},
	{"github.com/mlange-42/arche", "ecs", "the rest of the module sees our names, so that a successor can take its place"},
	{"github.com/nats-io/nats-server/v2", "cmd/internal/cluster internal/natstest tests", "it runs in muster cluster, so that one command is a whole cluster"},
	{"github.com/nats-io/nats.go", "net/replication/natsbus", "the rest of the module sees a bus"},
	{"github.com/nats-io/nkeys", "net/replication/natsbus", "keys of users of that bus are drawn there"},
	{"github.com/panjf2000/gnet/v2", "bench net/gateway", "sockets of players live there, and are measured beside it"},
	{"pgregory.net/rapid", "tests", "the model of assignment and snapshots of worlds draw their cases with it, and make those that fail small"},
	{"github.com/pkg/profile", "cmd/internal/flags", "a profile is taken of a whole command"},
	{"github.com/pressly/goose/v3", "loaders/registry loaders/store/database", "schemas change there, before anything else is done with them"},
	{"github.com/prometheus/client_golang", "net/ops/admin", "metrics are served there; no other package registers any"},
	{"github.com/schollz/progressbar/v3", "bench/swarm cmd/internal/terminal", "a ramp takes minutes, and so may a dump"},
	{"golang.org/x/sys", "bench bench/swarm internal/hostile internal/testnet net/gateway sched/finetimer", "a counter of instructions; raw epoll for ten thousand clients on one goroutine; sends past the library, many in one call by io_uring; filters of system calls; network namespaces; timers of the kernel"},
	{"github.com/yohamta/donburi", "bench/stores", "ours is measured beside it"},
	{"github.com/zeebo/xxh3", "ecs/digest net/replication/span net/replication/streamlog", "worlds are hashed there, movements whose traces several processes call alike, and snapshots"},
	{"go.uber.org/goleak", "tests", "what is started must be stopped"},
	{"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp", "net/replication/span", "spans leave the process there"},
	{"go.opentelemetry.io/otel/sdk", "net/replication/span tests", "spans are made there, and read in its tests"},
	{"go.opentelemetry.io/otel/trace", "net/replication/span", "spans have numbers of their own there"},
	{"go.opentelemetry.io/otel", "net/replication/span", "the rest of the module sees a tracer of movements"},
	{"go.opentelemetry.io/proto/otlp", "tests", "a receiver of traces reads what was exported"},
	{"google.golang.org/protobuf", "tests", "as otlp"},
	{"gonum.org/v1/plot", "bench/chart", "figures are drawn there"},
	{"modernc.org/sqlite", "loaders/store/sqlite loaders/worlddb tests", "the rest of the module sees a store, and a world"},
}

// unwatched are packages that start goroutines and have no test that looks for those they leave behind.
var unwatched = []exception{
	{"loaders/store/storetest", "go.uber.org/goleak", "it runs in the tests of stores, which look"},
}

// calendars are packages that ask what time of which day it is. Clocks are set, and then such a time jumps: it is for what
// is stored, what is shown, and bans. Whatever lasts is measured, which setting a clock does not change.
var calendars = []exception{
	{"bench", "time", "characters that are stored have a time"},
	{"cmd/internal/link", "time", "lives of processes are ordered by it"},
	{"cmd/internal/worldset", "time", "worlds with game events are given the date, and players of a world that is continued are stored with one"},
	{"cmd/internal/worldspec", "time", "a date at which worlds begin is refused"},
	{"cmd/muster", "time", "it lists banned accounts"},
	{"loaders/worlddb/content", "time", "game events have dates"},
	{"loaders/store/database", "time", "items that are gone are known for some days"},
	{"net/login/account", "time", "bans end at a time"},
	{"net/gateway", "time", "bans end at a time, and a character that is stored has one"},
	{"net/gateway/instances", "time", "what accounts have entered within the hour is known to the next process"},
	{"net/gateway/session", "time", "clients are shown it"},
	{"net/protocol/trace", "time", "a capture file has the time of day of each packet"},
	{"systems/intake", "time", "clients are shown that of the world"},
}

// bare are folders that hold packages and no Go file of their own, so that nothing is ever called net
// in place of the standard package.
var bare = []string{"cmd", "internal", "loaders", "net"}

// banned are names that do not describe a package.
var banned = []string{"base", "common", "helper", "helpers", "lib", "misc", "pkg", "shared", "types", "util", "utils"}
