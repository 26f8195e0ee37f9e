package cluster

import "testing"

// NATS of a cluster is told when to wait for the disk.
func TestLogSync(t *testing.T) {
	for sync, always := range map[string]bool{"interval": false, "always": true} {
		o, remove, err := (&Config{Durable: "world", Ephemeral: true, LogSync: sync}).natsOptions()
		if err != nil {
			t.Fatal(err)
		}
		remove()
		if !o.JetStream || o.SyncAlways != always {
			t.Errorf("%s: JetStream %t, sync always %t", sync, o.JetStream, o.SyncAlways)
		}
	}
}
