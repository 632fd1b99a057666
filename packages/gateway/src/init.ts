/** When scripts run that prepare an emulator, in order. */
export const INIT_STAGES = ['boot', 'start', 'ready', 'shutdown'] as const;

/** A time at which scripts run. */
export type InitStage = (typeof INIT_STAGES)[number];

/** What became of the scripts that prepare an emulator. */
export interface InitReport {
  /** Stages all of whose scripts have ended. */
  readonly completed: readonly InitStage[];
  readonly scripts: readonly {
    readonly stage: InitStage;
    /** The file's name. */
    readonly name: string;
    readonly state: 'unknown' | 'running' | 'successful' | 'error';
  }[];
}
