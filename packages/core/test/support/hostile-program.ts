import type { RunProgram } from '../../src/programs/messages.ts';

export const url = import.meta.url;

const PROGRAMS: Readonly<Record<string, (argument: number) => unknown>> = {
  echo: (argument) => argument,
  process: () => process.pid,
  'endless loop': () => {
    for (;;);
  },
  'endless recursion': () => {
    const call = (): number => call() + 1;
    return call();
  },
  'growing list': () => {
    const items: object[] = [];
    for (;;) items.push({});
  },
  'one large allocation': () => new Array(100_000_000).fill(0),
  'doubled text': () => {
    const texts: string[] = [];
    // One text alone reaches V8's maximum length first, at a speed that depends on the version.
    for (;;) {
      let text = String(texts.length);
      while (text.length < 100_000_000) text += text;
      // V8 copies the halves when a character is read.
      text.charCodeAt(0);
      texts.push(text);
    }
  },
  'memory outside of the heap': () => {
    const buffers: Buffer[] = [];
    for (;;) buffers.push(Buffer.alloc(10_000_000, 1));
  },
  'a function as output': () => () => 1,
};

/** Programs by name. */
export const load =
  async (): Promise<RunProgram<{ program: string; argument: number }, unknown>> =>
  ({ program, argument }) =>
    PROGRAMS[program]!(argument);
