// Command ociimage packs a static binary into a container image, without a daemon, a base image or the network: one layer
// with the binary, a user that is not root, a folder for data and one for temporary files.
//
// What it writes is a tar archive that is an OCI image layout, and has the manifest.json of docker save beside it: docker
// load, podman load, skopeo and containerd read it. The same binary gives the same bytes.
// The OCI Image Specification 1.1 says what is in it.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	binary := flag.String("binary", "", "the static binary of muster, for Linux")
	arch := flag.String("arch", "", "of which architecture it is: amd64 or arm64")
	version := flag.String("version", "", "of which version it is")
	out := flag.String("out", "", "where to write the archive")
	flag.Parse()
	if err := pack(*binary, *arch, *version, *out); err != nil {
		fmt.Fprintln(os.Stderr, "ociimage:", err)
		os.Exit(1)
	}
}

func pack(binary, arch, version, out string) error {
	if arch == "" || version == "" {
		return fmt.Errorf("architecture and version are needed")
	}
	program, err := os.ReadFile(binary)
	if err != nil {
		return err
	}
	archive, err := image{arch, version}.archive(program)
	if err != nil {
		return err
	}
	return os.WriteFile(out, archive, 0o644)
}
