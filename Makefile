# muster: see README.md for what it is, docs/ARCHITECTURE.md for where things are.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

GO ?= go
FUZZTIME ?= 10m
VERSION := $(shell git describe --tags --always --dirty 2>/dev/null)
# The version is given to the linker: stamping by the toolchain fails in a checkout of another owner.
BUILD := $(GO) build -trimpath -buildvcs=false -ldflags '-X muster/cmd/internal/release.version=$(VERSION)'

# Packages that start goroutines, or are called from several.
CONCURRENT := ./bench/swarm ./cmd/internal/... ./internal/metric ./loaders/store ./loaders/store/journal ./mustertest ./net/gateway/... ./net/login/... ./net/ops/... ./net/replication/... ./sched/...

.PHONY: help build run cluster cluster-test test test-long test-random race verify check hostile-test fuzz mutants bench machine profile pgo faults soak chaos chaos-long kills gateway-kills pauses upgrade failover plan golden coverage image release clean installed postgresql mariadb chromium readers promtool systemd python iproute

help: ## List the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{ printf "%-13s %s\n", $$1, $$2 }'

build: ## Build bin/muster
	$(BUILD) -o bin/muster ./cmd/muster

# A binary that needs nothing of the system, and an image that has nothing else: docs/deploying.md.
IMAGE ?= bin/muster-image.tar
IMAGE_ARCH ?= $(shell $(GO) env GOARCH)
image: ## Pack IMAGE (bin/muster-image.tar) for docker load and podman load, for IMAGE_ARCH (this machine's)
	CGO_ENABLED=0 GOOS=linux GOARCH=$(IMAGE_ARCH) $(GO) build -trimpath -buildvcs=false -ldflags '-s -w -X muster/cmd/internal/release.version=$(VERSION)' \
		-o bin/image/muster-$(IMAGE_ARCH) ./cmd/muster
	$(GO) run ./internal/ociimage -binary bin/image/muster-$(IMAGE_ARCH) -arch $(IMAGE_ARCH) -version $(or $(VERSION),unknown) -out $(IMAGE)
	@echo "$(IMAGE): muster:$(or $(VERSION),unknown)"

# goreleaser is compiled for it, which takes minutes the first time.
release: ## Build archives for linux amd64 and arm64 with checksums and SBOM, into bin/release
	rm -rf bin/release bin/release-extra && mkdir -p bin/release-extra
	$(GO) tool -modfile=tools/goreleaser.mod goreleaser check
	VERSION=$(VERSION) $(GO) tool -modfile=tools/goreleaser.mod goreleaser release --snapshot --clean

run: build ## Build, and serve the default world on 127.0.0.1 until Ctrl-C
	bin/muster serve

cluster: build ## Build, and run all roles as processes, with NATS and PostgreSQL, until Ctrl-C: docs/cluster.md
	bin/muster cluster

ORCHESTRATIONS ?= 200
cluster-test: installed ## Stop and kill orchestrators and workers at random, with ORCHESTRATIONS (200) seeds: 20 minutes, of which CI has two
	ORCHESTRATIONS=$(ORCHESTRATIONS) $(GO) test -count=1 -timeout 90m -v ./cmd/muster -run '^TestOrchestrators.*Killed$$'

test: installed ## Run all tests, in under ten minutes
	$(GO) test -timeout 20m -parallel 8 ./...

test-long: installed ## Run all tests with many more random cases
	LONG_TESTS=1 $(GO) test -tags long -timeout 60m ./...

test-random: installed ## Run the tests that draw lots with another seed for each (SEED=7: with that one)
	SEED=$(or $(SEED),random) $(GO) test -count=1 -timeout 20m -parallel 4 $$(grep -rl --include='*_test.go' 'testseed\.Of' . | xargs -n1 dirname | sort -u)

hostile-test: installed ## Run tests on a machine made worse: docs/testing.md (ONLY=half: or refused, or beside)
	.ci/hostile $(ONLY)

# Of the tests of the binary those in which the most goroutines and processes share what they have; the others are for make test alone.
RACED := TestClientsComeWalkAndGo|TestClusterInstances|TestCtl|TestDatabaseAway|TestDrain|TestGateways|TestHandovers|TestInstances|\
TestKilledGateway|TestKilledWorkerGoesOn|TestLoginsRace|TestQueue|TestQueueOfRealm|TestReloadWorld|TestSignals|TestSnapshots|TestSpawn|TestStandbyGoesOn|TestTwoRealms
race: installed ## Run the tests of concurrent packages under the race detector
	$(GO) test -race -timeout 30m -parallel 8 $(CONCURRENT)
	$(GO) test -race -timeout 30m -parallel 8 -run '^($(subst $() ,,$(RACED)))$$' ./cmd/muster

verify: ## Run the tests of whole worlds in a build that compares components that no system marked
	$(GO) test -tags verify -timeout 20m ./systems ./internal/scenario

installed: postgresql mariadb chromium readers promtool systemd python iproute

# Stores are tested against a real server. Without one their tests fail, and say what to install.
postgresql:
	@ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null || \
		{ apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -qy postgresql; } || true

# Imports are measured beside MariaDB's own: docs/bench/import.md. Without it that scenario fails, and says what to install.
mariadb:
	@command -v mariadbd >/dev/null || test -x /usr/sbin/mariadbd || \
		{ apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -qy mariadb-server; } || true

# The live page is tried in a real browser, likewise.
chromium:
	@command -v chromium chromium-browser google-chrome >/dev/null || \
		{ apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -qy chromium; } || true

# Scripts of completion are tried in their shells, and manual pages by a program that reads them.
readers:
	@command -v zsh fish mandoc | wc -l | grep -q 3 || \
		{ apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends zsh fish mandoc; } || true

# Alerts are tested by promtool, taken out of its package: installing that would start a server.
promtool:
	@command -v promtool bin/promtool >/dev/null || { mkdir -p bin && cd bin && apt-get update -q && apt-get download -q prometheus && \
		dpkg-deb --fsys-tarfile prometheus_*.deb | tar -x --strip-components=3 ./usr/bin/promtool; rm -f prometheus_*.deb; } || true

# The unit of systemd is read by its own checker, which needs no running systemd.
systemd:
	@command -v systemd-analyze >/dev/null || \
		{ apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends systemd; } || true

# A bot of docs/bots is in Python, another asks the server with curl.
python:
	@command -v python3 curl | wc -l | grep -q 2 || \
		{ apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends python3 curl; } || true

# Hosts of a test are network namespaces (internal/testnet).
iproute:
	@command -v ip >/dev/null || \
		{ apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends iproute2; } || true

check: ## Check layout, vet, staticcheck and the import policy
	@unformatted=$$(gofmt -l $$(find . -name '*.go' -not -path './.git/*')); \
	if [[ -n $$unformatted ]]; then echo "gofmt:"; echo "$$unformatted"; exit 1; fi
	$(GO) vet ./...
	$(GO) vet -tags long ./cmd/... ./net/...
	$(GO) vet -tags verify ./ecs ./net/protocol/update
	$(GO) tool staticcheck ./...
	$(GO) test ./internal/layers

fuzz: ## Fuzz every target for FUZZTIME (10m)
	@for pkg in $$(grep -rl --include='*_test.go' '^func Fuzz' . | xargs -n1 dirname | sort -u); do \
		for target in $$(grep -ho '^func Fuzz[A-Za-z0-9_]*' $$pkg/*_test.go | cut -d' ' -f2); do \
			echo "$$pkg $$target"; \
			$(GO) test $$pkg -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME); \
		done; \
	done

bench: build postgresql mariadb ## Run all scenarios beside their baselines, and write BENCHMARKS.md and docs/bench (QUICK=1: small and short, into bench/out)
	bin/muster bench $(if $(QUICK),--quick --json bench/out/quick.json)

machine: build ## Print what this machine is, what it can count and what a send costs on it
	@bin/muster bench --machine

profile: build ## Profile serve under 1,000 walking clients, or the scenario S of bench, as bench/out/cpu.pprof
	mkdir -p bench/out
	cd bench/out && MUSTER=../../bin/muster \
		$(if $(S),../../bin/muster bench --only $(shell tr A-Z a-z <<< '$(S)') --out . --profile cpu,../../.ci/smoke 1000 20s --profile cpu)
	$(GO) tool pprof -top -nodecount 25 bin/muster bench/out/cpu.pprof

# What is compiled with a profile is compiled anew, all of it: docs/negative-results.md says why that is not the default.
pgo: build ## Profile S6, fights and serve, build bin/muster-pgo with that, and print what a tick costs in both
	mkdir -p bench/out/pgo
	cd bench/out/pgo && for s in s6 fights; do \
		../../../bin/muster bench --quick --only $$s --out . --profile cpu >/dev/null; mv cpu.pprof $$s.pprof; \
	done
	cd bench/out/pgo && MUSTER=../../../bin/muster ../../../.ci/smoke 1000 20s --profile cpu >/dev/null && mv cpu.pprof serve.pprof
	$(GO) tool pprof -proto bench/out/pgo/*.pprof >bench/out/muster.pgo
	time $(BUILD) -pgo bench/out/muster.pgo -o bin/muster-pgo ./cmd/muster
	@for b in muster muster-pgo muster muster-pgo; do \
		echo "$$b, baseline not recorded:"; bin/$$b bench --quick --only recording --out bench/out/pgo | grep -e '^| tick' -e '^| the same'; \
	done

# Tests that do what FAULTS.md lists, each on the real binary.
FAULTS := ^(TestFault.*|TestSoak|TestKill|TestFullDisk|TestNothingCanBeWritten|TestDatabaseAway|TestTermWithManyClients|TestSignals|TestAdminToken|TestMapPanicIsOfOneMap|TestSlowSystemIsNamed|TestStuckSystemIsNamed)$$

faults: installed ## Do to the real binary what docs/FAULTS.md lists, and write that
	FAULTS=full SOAK=2m $(GO) test -count=1 -timeout 30m ./cmd/muster -run '$(FAULTS)'
	@grep '^|' docs/FAULTS.md

SOAK ?= 30m
soak: installed ## Have clients come and go for SOAK (30m): nothing may be left behind
	SOAK=$(SOAK) $(GO) test -count=1 -timeout 0 -v ./cmd/muster -run '^TestSoak$$'

# What is done when is drawn from SEED (1). A run that fails prints it. With what is compiled for it, 4m takes five minutes.
CHAOS ?= 4m
chaos: installed ## Kill, stop and cut off processes of a cluster under clients for CHAOS (4m), by SEED (1): docs/testing.md
	CHAOS=$(CHAOS) SEED=$(SEED) $(GO) test -tags long -count=1 -timeout 0 -v ./cmd/muster -run '^TestChaos(Network)?$$'

KILLS ?= 200
CLIENTS ?= 300
kills: installed ## Kill processes of two clusters, but gateways, KILLS (200) times each under CLIENTS (300) that walk, fight and trade
	KILLS=$(KILLS) CLIENTS=$(CLIENTS) SEED=$(SEED) $(GO) test -tags long -count=1 -timeout 0 -v ./cmd/muster -run '^TestChaos(Network)?$$'

chaos-long: installed ## The same for an hour, kill a server with --durable world a hundred times, and gateways fifty times
	$(MAKE) chaos CHAOS=1h SEED=$(SEED)
	KILLS=100 SEED=$(SEED) $(GO) test -count=1 -timeout 0 -v ./cmd/muster -run '^TestKilledWorldIsItsLog$$'
	$(MAKE) gateway-kills

GATEWAY_KILLS ?= 50
gateway-kills: installed ## Kill gateways GATEWAY_KILLS (50) times under players that rest and fight, who come back as they were
	GATEWAY_KILLS=$(GATEWAY_KILLS) $(GO) test -count=1 -timeout 0 -v ./cmd/muster -run '^TestGatewaysAreKilled$$'

STANDBYS ?= 1
pauses: installed ## Kill the process that has a world KILLS (200) times under CLIENTS (300), with STANDBYS (1), and print how long it stood still
	KILLS=$(KILLS) CLIENTS=$(CLIENTS) STANDBYS=$(STANDBYS) SEED=$(SEED) $(GO) test -tags long -count=1 -timeout 0 -v ./cmd/muster -run '^TestFailoverPauses$$'

upgrade: installed ## Have worlds go on in workers of another release under CLIENTS (300) that play
	CLIENTS=$(CLIENTS) $(GO) test -parallel 1 -count=1 -timeout 30m -v ./cmd/muster -run '^Test(Assigned)?Upgrade$$'

failover: installed ## Kill a worker under walking clients, and draw what they see of it: docs/failover.svg
	PICTURE=$(CURDIR)/docs/failover.svg $(GO) test -tags long -count=1 -timeout 10m -v ./cmd/muster -run '^TestFailoverPicture$$'

# What tests notice: PKG=./systems/rules for one package, MUTANTS=all for each change, SEED for another sample.
PKG ?= ./systems/... ./net/... ./loaders/store/...
MUTANTS ?= 40
SEED ?= 1
mutants: ## Change the code of PKG in MUTANTS (40) places, one at a time, and print what no test notices
	$(GO) run ./internal/mutants -n $(MUTANTS) -seed $(SEED) $(PKG)

plan: build ## Print the systems of a tick in their order
	bin/muster plan

golden: ## Rewrite the golden texts that are ours
	$(GO) test $$(grep -rl --include='*_test.go' -e 'golden\.Compare' -e 'Bool("update"' . | xargs -n1 dirname | sort -u) -update

coverage: installed ## Run all tests, and print how much of each package they reach
	mkdir -p bench/out
	$(GO) test -timeout 15m -coverprofile bench/out/cover.out -coverpkg ./... ./...
	$(GO) tool cover -func bench/out/cover.out | tail -1

clean: ## Remove what these targets made
	rm -rf bin bench/out
