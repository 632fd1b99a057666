/** A command with its surroundings, as the machine starts it. */
export interface Launch {
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Working directory on the machine. */
  readonly directory: string;
}
