import { dateFromSerial, format, getFormatDateInfo, getFormatFromId } from 'numfmt';
import type { XmlArchive } from './xml-archive.server.ts';

/** Excel's own limit for a format, in UTF-16 units. */
const MAX_CODE_LENGTH = 255;
const MAX_FORMATS = 70_000;
/** Lower ids are built into the program, not defined in the file (ECMA-376, 18.8.30). */
const FIRST_CUSTOM_ID = 164;
/** Days from 1900 to 1904, the epoch of some workbooks. */
const DAYS_1904 = 1_462;

type Formatter = (value: number) => string;

const twoDigits = (value: number) => String(value).padStart(2, '0');

/** Full dates are written as ISO dates, so that month and day cannot be confused. */
function dateFormatter(time: boolean): Formatter {
  return (value) => {
    const [year, month, day, hours, minutes] = dateFromSerial(value);
    const date = `${String(year).padStart(4, '0')}-${twoDigits(month)}-${twoDigits(day)}`;
    return time ? `${date} ${twoDigits(hours)}:${twoDigits(minutes)}` : date;
  };
}

function formatterFor(code: string): Formatter {
  const { year, month, day, hours } = getFormatDateInfo(code);
  if (year && month && day) return dateFormatter(hours);
  return (value) => format(code, value).trim();
}

export class CellStyles {
  readonly #codes = new Map<number, string>();
  /** Format ids by style index. */
  readonly #styles: number[] = [];
  readonly #formatters = new Map<number, Formatter>();
  readonly #dayOffset: number;

  constructor(from1904: boolean) {
    this.#dayOffset = from1904 ? DAYS_1904 : 0;
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
      isDone: () => this.#styles.length + this.#codes.size > MAX_FORMATS,
    });
  }

  /** Formats a number as its cell displays it. */
  show(style: string | undefined, value: number): string {
    const id = this.#styles[Number(style ?? 0)] ?? 0;
    const formatter = this.#formatters.get(id) ?? this.#formatterOf(id);
    this.#formatters.set(id, formatter);
    try {
      return formatter(value);
    } catch {
      // The format is invalid.
      return format('General', value);
    }
  }

  #formatterOf(id: number): Formatter {
    const rawCode = this.#codes.get(id) ?? (id < FIRST_CUSTOM_ID ? getFormatFromId(id) : 'General');
    const code = rawCode.length > MAX_CODE_LENGTH ? 'General' : rawCode;
    // A format with hours only shows a duration, which does not depend on the epoch.
    const { year, month, day } = getFormatDateInfo(code);
    const formatter = formatterFor(code);
    return year || month || day ? (value) => formatter(value + this.#dayOffset) : formatter;
  }
}
