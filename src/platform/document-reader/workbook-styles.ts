import { dateFromSerial, format, getFormatDateInfo, getFormatFromId } from 'numfmt';
import type { XmlArchive } from './xml-archive.server.ts';

/** Excel's own limit for a format, in UTF-16 units. */
const LONGEST = 255;
const FORMATS = 70_000;
/** Lower ids are built into the program, not defined in the file (ECMA-376, 18.8.30). */
const OWN = 164;
/** Days from 1900 to 1904, the epoch of some workbooks. */
const DAYS_1904 = 1_462;

type Shown = (value: number) => string;

const two = (value: number) => String(value).padStart(2, '0');

/** Full dates are written as ISO dates, so that month and day cannot be confused. */
function showDate(time: boolean): Shown {
  return (value) => {
    const [year, month, day, hours, minutes] = dateFromSerial(value);
    const date = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
    return time ? `${date} ${two(hours)}:${two(minutes)}` : date;
  };
}

function showBy(code: string): Shown {
  const { year, month, day, hours } = getFormatDateInfo(code);
  if (year && month && day) return showDate(hours);
  return (value) => format(code, value).trim();
}

export class CellStyles {
  readonly #codes = new Map<number, string>();
  /** Format ids by style index. */
  readonly #styles: number[] = [];
  readonly #shown = new Map<number, Shown>();
  readonly #shift: number;

  constructor(from1904: boolean) {
    this.#shift = from1904 ? DAYS_1904 : 0;
  }

  async read(archive: XmlArchive, name: string): Promise<void> {
    let inCells = false;
    await archive.read(name, {
      open: (element, { numFmtId, formatCode }) => {
        const id = Number(numFmtId);
        if (element === 'cellXfs') inCells = true;
        if (element === 'xf' && inCells) this.#styles.push(id || 0);
        if (element === 'numFmt' && formatCode) this.#codes.set(id, formatCode);
      },
      close: (element) => {
        if (element === 'cellXfs') inCells = false;
      },
      enough: () => this.#styles.length + this.#codes.size > FORMATS,
    });
  }

  /** Formats a number as its cell displays it. */
  show(style: string | undefined, value: number): string {
    const id = this.#styles[Number(style ?? 0)] ?? 0;
    const shown = this.#shown.get(id) ?? this.#showId(id);
    this.#shown.set(id, shown);
    try {
      return shown(value);
    } catch {
      // The format is invalid.
      return format('General', value);
    }
  }

  #showId(id: number): Shown {
    const own = this.#codes.get(id) ?? (id < OWN ? getFormatFromId(id) : 'General');
    const code = own.length > LONGEST ? 'General' : own;
    // A format with hours only shows a duration, which does not depend on the epoch.
    const { year, month, day } = getFormatDateInfo(code);
    const shown = showBy(code);
    return year || month || day ? (value) => shown(value + this.#shift) : shown;
  }
}
