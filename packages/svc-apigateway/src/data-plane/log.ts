/** Characters of a line of an execution log. */
const LONGEST = 1024;

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const two = (number: number): string => String(number).padStart(2, '0');

/** As Java prints a time, e.g. `Tue Nov 24 10:11:12 UTC 2026`. */
function javaDate(at: number): string {
  const date = new Date(at);
  const time = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`;
  const day = `${DAYS[date.getUTCDay()]} ${MONTHS[date.getUTCMonth()]} ${two(date.getUTCDate())}`;
  return `${day} ${time} UTC ${date.getUTCFullYear()}`;
}

/** What an API does for one request, line by line, as far as somebody wants to know. */
export class ExecutionLog {
  readonly lines: { readonly at: number; readonly text: string; readonly error: boolean }[] = [];

  /**
   * @param on whether anybody reads it
   * @param now the emulated time
   */
  constructor(
    readonly on: boolean,
    private readonly now: () => number,
  ) {}

  /** @param text made only where it is read; long ones are cut */
  add(text: () => string, error = false): void {
    if (!this.on) return;
    const line = text();
    this.lines.push({
      at: this.now(),
      text: line.length > LONGEST ? `${line.slice(0, LONGEST)} [TRUNCATED]` : line,
      error,
    });
  }

  /** The log of a test invocation, as AWS writes it. */
  text(requestId: string): string {
    const lines = this.lines.map(({ at, text }) => `${javaDate(at)} : ${text}\n`);
    return `Execution log for request ${requestId}\n${lines.join('')}`;
  }
}

/** A map as Java prints it. */
export const javaMap = (values: Readonly<Record<string, string | readonly string[]>>): string =>
  `{${Object.entries(values)
    .map(([key, value]) => `${key}=${typeof value === 'string' ? value : value.join(',')}`)
    .join(', ')}}`;
