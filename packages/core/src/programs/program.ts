import type { ProgramModule } from './messages.ts';
import { programPool } from './pool.ts';

/**
 * A library that runs programs from users and cannot be interrupted. It runs in processes of its own, with limits of time
 * and memory.
 */
export class Program<Input, Output> {
  private module: string | undefined;

  /**
   * @param load imports the module of the program
   * @param limit maximum milliseconds of a run
   */
  constructor(
    private readonly load: () => Promise<ProgramModule<Input, Output>>,
    private readonly limit: number,
  ) {}

  /**
   * Runs the program.
   * @param owner the resource that the program belongs to: those of one owner take turns with those of others
   * @throws ProgramLimitError above a limit
   * @throws Error if the program throws, or the emulator is closed
   */
  async run(input: Input, owner: string): Promise<Output> {
    this.module ??= (await this.load()).url;
    return (await programPool.run(this.module, input, owner, this.limit)) as Output;
  }
}
