import type { Row } from '../row.ts';

/** Work in steps, between which other work may run. */
export type Steps<Result = void> = Generator<undefined, Result, undefined>;

/** A stage of a query, which passes rows to the next one. */
export interface Stage {
  push(row: Row): void;
  /** Ends the input. */
  end(): Steps;
  /** Whether it needs no more rows. */
  readonly isDone?: boolean;
}

/** Creates a stage before the next one. */
export type MakeStage = (next: Stage) => Stage;

/** Creates a stage that handles each row independently. */
export const perRow =
  (handle: (row: Row, next: Stage) => void): MakeStage =>
  (next) => ({
    push: (row) => handle(row, next),
    end: () => next.end(),
    get isDone() {
      return next.isDone ?? false;
    },
  });
