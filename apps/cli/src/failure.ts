/** Ends a command: the message is shown without a stack trace, and the process exits with `exitCode`. */
export class Failure extends Error {
  override readonly name = 'Failure';
  constructor(
    message: string,
    readonly exitCode = 1,
  ) {
    super(message);
  }
}

/** Names of errors with a message for users. Others, such as TypeError, are defects and keep their stack trace. */
const EXPECTED = new Set([
  'Failure',
  'ConfigError',
  'DirectoryInUse',
  'Error',
  'NoCredentials',
  'NoResponse',
  'UnknownIdentity',
]);

/** Runs a command. A failure that users can fix is shown as a sentence, any other with its stack trace. */
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
