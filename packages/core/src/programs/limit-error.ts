/** A program exceeded a limit; its process has been ended. */
export class ProgramLimitError extends Error {
  override readonly name = 'ProgramLimitError';

  constructor(readonly limit: 'time' | 'memory') {
    super(limit === 'time' ? 'The program exceeds its time limit' : 'The program exceeds its memory limit');
  }
}
