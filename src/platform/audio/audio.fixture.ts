/** Silent files, in the formats that browsers and programs write. */

/** An Opus packet of 20 ms: fullband CELT, one frame. */
const PACKET = Buffer.from([0xfc, 0xff, 0xfe]);
const PACKETS_PER_SECOND = 50;

const element = (id: string, content: Buffer) => {
  const size = Buffer.alloc(4);
  size.writeUInt32BE(0x10000000 + content.length);
  return Buffer.concat([Buffer.from(id, 'hex'), size, content]);
};

/** An element of unknown length, as MediaRecorder writes while it streams. */
const openElement = (id: string, content: Buffer) =>
  Buffer.concat([Buffer.from(`${id}01ffffffffffffff`, 'hex'), content]);

export function webmFile(seconds: number, codec = 'A_OPUS', flags = 0x80): Buffer {
  const track = element(
    'ae',
    Buffer.concat([element('d7', Buffer.from([1])), element('86', Buffer.from(codec))]),
  );
  const block = element('a3', Buffer.concat([Buffer.from([0x81, 0, 0, flags]), PACKET]));
  const cluster = Buffer.concat([
    element('e7', Buffer.from([0])),
    ...Array.from({ length: Math.round(seconds * PACKETS_PER_SECOND) }, () => block),
  ]);
  return Buffer.concat([
    element('1a45dfa3', element('4282', Buffer.from('webm'))),
    openElement('18538067', Buffer.concat([element('1654ae6b', track), openElement('1f43b675', cluster)])),
  ]);
}

function oggPage(packets: Buffer[]): Buffer {
  const head = Buffer.alloc(27);
  head.write('OggS', 0, 'latin1');
  head[26] = packets.length;
  return Buffer.concat([head, Buffer.from(packets.map(({ length }) => length)), ...packets]);
}

export function oggFile(seconds: number, codec = 'OpusHead'): Buffer {
  const pages = Array.from({ length: Math.round(seconds) }, () =>
    oggPage(Array.from({ length: PACKETS_PER_SECOND }, () => PACKET)),
  );
  return Buffer.concat([
    oggPage([Buffer.from(`${codec}\x01`)]),
    oggPage([Buffer.from('OpusTags')]),
    ...pages,
  ]);
}

const box = (name: string, ...content: Buffer[]): Buffer => {
  const head = Buffer.alloc(8);
  const size = content.reduce((sum, { length }) => sum + length, 8);
  head.writeUInt32BE(size);
  head.write(name, 4, 'latin1');
  return Buffer.concat([head, ...content]);
};

const words = (...values: number[]) => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, at * 4);
  return bytes;
};

/** Fragmented, as Safari records. @param scale units of time per second, which each file may choose */
export function mp4File(seconds: number, scale = 48_000): Buffer {
  const mdia = box(
    'mdia',
    box('mdhd', words(0, 0, 0, scale, 0, 0)),
    box('hdlr', words(0, 0), Buffer.from('soun'), words(0, 0, 0)),
  );
  const frames = Math.round((seconds * 48_000) / 1_024);
  return Buffer.concat([
    box('ftyp', Buffer.from('iso5')),
    box('moov', box('trak', mdia), box('mvex', box('trex', words(0, 1, 1, 1_024, 0, 0)))),
    box('moof', box('traf', box('tfhd', words(0, 1)), box('trun', words(0, frames)))),
    box('mdat', Buffer.alloc(64)),
  ]);
}

/** MPEG 2, layer III, 8 kbit/s at 24,000 Hz, preceded by an ID3 tag. */
export function mp3File(seconds: number): Buffer {
  const frame = Buffer.alloc(24);
  frame.set([0xff, 0xf3, 0x14, 0xc4]);
  const tag = Buffer.from('ID3\x04\0\0\0\0\0\x05aaaaa', 'latin1');
  return Buffer.concat([tag, ...Array.from({ length: Math.round((seconds * 24_000) / 576) }, () => frame)]);
}
