import { crc32, deflateRawSync } from 'node:zlib';

/** A file of an archive with properties other than its content. */
export interface ZipFileOptions {
  content: string | Uint8Array;
  /** Unix mode with the file type; by default only `bootstrap` is executable. */
  mode?: number;
  /** The size in the archive's directory. */
  claimedSize?: number;
}

/** Creates a .zip archive, such as a function's package; also an invalid one. */
export function zipOf(files: Readonly<Record<string, string | Uint8Array | ZipFileOptions>>): Buffer {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const [name, file] of Object.entries(files)) {
    const options = typeof file === 'string' || file instanceof Uint8Array ? { content: file } : file;
    const { content, mode = name === 'bootstrap' ? 0o100755 : 0o100644, claimedSize } = options;
    const bytes = Buffer.from(content as string);
    // Links are stored without compression, as zip does and BusyBox requires.
    const isLink = (mode & 0o170000) === 0o120000;
    const packed = isLink ? bytes : deflateRawSync(bytes);
    const header = Buffer.alloc(26);
    header.writeUInt16LE(20, 0);
    header.writeUInt16LE(0x800, 2);
    header.writeUInt16LE(isLink ? 0 : 8, 4);
    header.writeUInt32LE(0x00210000, 6);
    header.writeUInt32LE(crc32(bytes), 10);
    header.writeUInt32LE(packed.length, 14);
    header.writeUInt32LE(claimedSize ?? bytes.length, 18);
    header.writeUInt16LE(Buffer.byteLength(name), 22);
    const attributes = Buffer.alloc(14);
    attributes.writeUInt32LE((mode << 16) >>> 0, 6);
    attributes.writeUInt32LE(offset, 10);
    const entry = Buffer.concat([Buffer.from('PK\x03\x04'), header, Buffer.from(name), packed]);
    local.push(entry);
    central.push(Buffer.from('PK\x01\x02\x14\x03', 'latin1'), header, attributes, Buffer.from(name));
    offset += entry.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(18);
  const count = Object.keys(files).length;
  end.writeUInt16LE(count, 4);
  end.writeUInt16LE(count, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...local, directory, Buffer.from('PK\x05\x06'), end]);
}
