/** What ends a command: its message is shown without a stack, and the process exits with `exitCode`. */
export class Failure extends Error {
  override readonly name = 'Failure';
  constructor(
    message: string,
    readonly exitCode = 1,
  ) {
    super(message);
  }
}

/** Names of errors whose message is a sentence for people; others, such as TypeError, are defects and keep their stack. */
const EXPECTED = new Set(['Failure', 'ConfigError', 'Error']);

/** Runs a command; a failure that people can do something about becomes a sentence, anything else keeps its stack. */
export async function reportFailures(command: () => Promise<void>): Promise<void> {
  try {
    await command();
  } catch (error) {
    const known = error instanceof Error && EXPECTED.has(error.name);
    const text = known ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(`emu: ${text}\n`);
    process.exitCode = error instanceof Failure ? error.exitCode : 1;
  }
}
