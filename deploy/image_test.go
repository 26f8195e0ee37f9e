package deploy

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// A descriptor names a blob of a layout, as the OCI Image Specification has it.
type descriptor struct {
	Digest string
	Size   int
}

// The image is one: its layout is whole, and what it starts serves players as a user that is not root, with nothing of the
// system around it.
func TestImage(t *testing.T) {
	t.Parallel()
	archive := filepath.Join(t.TempDir(), "image.tar")
	run(t, "make", "-C", "..", "image", "IMAGE="+archive, "IMAGE_ARCH="+runtime.GOARCH)
	if said := run(t, "go", tool("crane", "crane", "validate", "--tarball", archive)...); !strings.Contains(said, "PASS") {
		t.Errorf("crane validate says %s", said)
	}
	blobs := make(map[string][]byte)
	for _, f := range untar(t, strings.NewReader(read(t, archive))) {
		blobs[f.header.Name] = f.content
	}
	blob := func(d descriptor) []byte {
		name := "blobs/" + strings.Replace(d.Digest, ":", "/", 1)
		if b := blobs[name]; d.Digest != fmt.Sprintf("sha256:%x", sha256.Sum256(b)) || d.Size != len(b) {
			t.Fatalf("%s is not there, or not what its name says: %d bytes", name, len(b))
		}
		return blobs[name]
	}
	var index struct{ Manifests []descriptor }
	var manifest struct {
		Config descriptor
		Layers []descriptor
	}
	var config imageConfig
	unmarshal(t, blobs["index.json"], &index)
	unmarshal(t, blob(index.Manifests[0]), &manifest)
	unmarshal(t, blob(manifest.Config), &config)
	if string(blobs["oci-layout"]) != `{"imageLayoutVersion":"1.0.0"}` || len(index.Manifests) != 1 || len(manifest.Layers) != 1 {
		t.Fatalf("the layout is %s with %+v and %+v", blobs["oci-layout"], index, manifest)
	}
	if config.OS != "linux" || config.Architecture != runtime.GOARCH || config.Config.User != "65532:65532" ||
		!slices.Equal(slices.Sorted(maps.Keys(config.Config.Volumes)), []string{"/data"}) ||
		!slices.Equal(slices.Sorted(maps.Keys(config.Config.ExposedPorts)), []string{"3724/tcp", "8085/tcp", "8086/tcp"}) {
		t.Errorf("the configuration is %+v", config)
	}
	if n := len(read(t, archive)); n > 30_000_000 {
		t.Errorf("the image takes %d bytes, more than 30 MB", n)
	}
	layer, err := gzip.NewReader(bytes.NewReader(blob(manifest.Layers[0])))
	if err != nil {
		t.Fatal(err)
	}
	files, err := io.ReadAll(layer)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprintf("sha256:%x", sha256.Sum256(files)); !slices.Equal(config.RootFS.DiffIDs, []string{got}) {
		t.Errorf("the layer is %s, the configuration has %v", got, config.RootFS)
	}
	c := container{unpack(t, files), config, os.Getuid() == 0}
	t.Run("as it is", c.serves)
	t.Run("with the chart's configuration", c.servesConfigured)
}

// An imageConfig is what the test looks at of an image's configuration, as that specification has it.
type imageConfig struct {
	OS, Architecture string
	Config           struct {
		User                   string
		Env, Entrypoint, Cmd   []string
		Volumes, ExposedPorts  map[string]struct{}
		WorkingDir, StopSignal string
	}
	RootFS struct {
		DiffIDs []string `json:"diff_ids"`
	}
}

// unpack writes the files of a layer into a folder, which becomes the root of what the image starts.
func unpack(t *testing.T, layer []byte) (root string) {
	t.Helper()
	root = t.TempDir()
	var names []string
	for _, f := range untar(t, bytes.NewReader(layer)) {
		h, path := f.header, filepath.Join(root, f.header.Name)
		names = append(names, fmt.Sprintf("%s %o %d:%d", h.Name, h.Mode, h.Uid, h.Gid))
		if h.Typeflag == tar.TypeDir {
			if err := os.Mkdir(path, 0o755); err != nil {
				t.Fatal(err)
			}
		} else {
			write(t, path, string(f.content))
		}
		if err := os.Chmod(path, h.FileInfo().Mode()); err != nil {
			t.Fatal(err)
		}
		if os.Getuid() == 0 {
			if err := os.Chown(path, h.Uid, h.Gid); err != nil {
				t.Fatal(err)
			}
		}
	}
	want := []string{"data/ 750 65532:65532", "etc/ 755 0:0", "etc/group 644 0:0", "etc/passwd 644 0:0", "muster 755 0:0", "tmp/ 1777 0:0"}
	if !slices.Equal(names, want) {
		t.Errorf("the layer has %q, want %q", names, want)
	}
	return root
}

func unmarshal(t *testing.T, b []byte, v any) {
	t.Helper()
	if err := json.Unmarshal(b, v); err != nil {
		t.Fatalf("%v in %q", err, b)
	}
}

// An unpacked is a file of an archive.
type unpacked struct {
	header  *tar.Header
	content []byte
}

func untar(t *testing.T, r io.Reader) (all []unpacked) {
	t.Helper()
	for archive := tar.NewReader(r); ; {
		h, err := archive.Next()
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(archive)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, unpacked{h, content})
	}
}
