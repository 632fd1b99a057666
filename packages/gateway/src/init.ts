/** Stages at which scripts run that prepare an emulator, in order. */
export const INIT_STAGES = ['boot', 'start', 'ready', 'shutdown'] as const;

/** A stage at which scripts run. */
export type InitStage = (typeof INIT_STAGES)[number];

/** State of the scripts that prepare an emulator. */
export interface InitReport {
  /** Stages whose scripts have all ended. */
  readonly completed: readonly InitStage[];
  readonly scripts: readonly {
    readonly stage: InitStage;
    /** The file's name. */
    readonly name: string;
    readonly state: 'unknown' | 'running' | 'successful' | 'error';
  }[];
}
