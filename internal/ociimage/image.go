package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
)

// Of the user that the program runs as: nonroot, with the number that it has in the distroless images.
const (
	user   = 65532
	passwd = "root:x:0:0:root:/:/sbin/nologin\nnonroot:x:65532:65532:nonroot:/data:/sbin/nologin\n"
	group  = "root:x:0:\nnonroot:x:65532:\n"
)

// An image is what is said of a binary besides its bytes.
type image struct{ arch, version string }

// Media types, of the OCI Image Specification.
const (
	mediaIndex    = "application/vnd.oci.image.index.v1+json"
	mediaManifest = "application/vnd.oci.image.manifest.v1+json"
	mediaConfig   = "application/vnd.oci.image.config.v1+json"
	mediaLayer    = "application/vnd.oci.image.layer.v1.tar+gzip"
)

// object is a JSON object: its keys are written in alphabetical order.
type object = map[string]any

// archive is the image as a tar archive.
func (i image) archive(program []byte) ([]byte, error) {
	files, err := writeTar([]tar.Header{
		{Name: "data/", Mode: 0o750, Uid: user, Gid: user},
		{Name: "etc/", Mode: 0o755},
		{Name: "etc/group", Mode: 0o644},
		{Name: "etc/passwd", Mode: 0o644},
		{Name: "muster", Mode: 0o755},
		{Name: "tmp/", Mode: 0o1777},
	}, map[string][]byte{"etc/group": []byte(group), "etc/passwd": []byte(passwd), "muster": program})
	if err != nil {
		return nil, err
	}
	var layer bytes.Buffer
	z, err := gzip.NewWriterLevel(&layer, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	z.Write(files) // into memory: Close has the error
	if err := z.Close(); err != nil {
		return nil, err
	}
	return i.layout(files, layer.Bytes())
}

// layout is the archive of an image with one layer, given as a tar archive and compressed.
func (i image) layout(files, layer []byte) ([]byte, error) {
	blobs := make(map[string][]byte)
	blob := func(media string, b []byte) object {
		blobs["blobs/sha256/"+digest(b)] = b
		return object{"mediaType": media, "digest": "sha256:" + digest(b), "size": len(b)}
	}
	layers := blob(mediaLayer, layer)
	config := document(i.config(files))
	manifest := blob(mediaManifest, document(object{
		"schemaVersion": 2, "mediaType": mediaManifest,
		"config": blob(mediaConfig, config), "layers": []any{layers},
	}))
	manifest["platform"] = object{"os": "linux", "architecture": i.arch}
	manifest["annotations"] = object{
		"io.containerd.image.name":          "docker.io/library/muster:" + i.version,
		"org.opencontainers.image.ref.name": i.version,
	}
	blobs["oci-layout"] = document(object{"imageLayoutVersion": "1.0.0"})
	blobs["index.json"] = document(object{"schemaVersion": 2, "mediaType": mediaIndex, "manifests": []any{manifest}})
	// What docker save writes, and older versions of docker load need.
	blobs["manifest.json"] = document([]any{object{
		"Config": "blobs/sha256/" + digest(config), "RepoTags": []string{"muster:" + i.version},
		"Layers": []string{"blobs/sha256/" + digest(layer)},
	}})
	headers := []tar.Header{{Name: "blobs/", Mode: 0o755}, {Name: "blobs/sha256/", Mode: 0o755}}
	for _, name := range sorted(blobs) {
		headers = append(headers, tar.Header{Name: name, Mode: 0o644})
	}
	return writeTar(headers, blobs)
}

// config says how the image is run. It listens on all addresses, for those of a container are its own; operators are
// listened for on loopback, as anywhere without a token.
func (i image) config(files []byte) object {
	return object{
		"created": "1970-01-01T00:00:00Z", "architecture": i.arch, "os": "linux",
		"config": object{
			"User":         "65532:65532",
			"Entrypoint":   []string{"/muster"},
			"Cmd":          []string{"serve"},
			"Env":          []string{"MUSTER_AUTH=0.0.0.0:3724", "MUSTER_WORLD=0.0.0.0:8085", "XDG_DATA_HOME=/data"},
			"ExposedPorts": object{"3724/tcp": object{}, "8085/tcp": object{}, "8086/tcp": object{}},
			"Volumes":      object{"/data": object{}},
			"WorkingDir":   "/data",
			"StopSignal":   "SIGTERM",
			"Labels": object{
				"org.opencontainers.image.title":       "muster",
				"org.opencontainers.image.description": "A world server for 3.3.5a clients, made to be loaded, profiled and read.",
				"org.opencontainers.image.licenses":    "MIT",
				"org.opencontainers.image.version":     i.version,
			},
		},
		"rootfs":  object{"type": "layers", "diff_ids": []string{"sha256:" + digest(files)}},
		"history": []any{object{"created": "1970-01-01T00:00:00Z", "created_by": "ociimage"}},
	}
}

// digest is the hash that names a blob.
func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
