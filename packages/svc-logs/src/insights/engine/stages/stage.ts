import type { Row } from '../row.ts';

/** A step of a query. Rows are pushed through it to the next one. */
export interface Stage {
  push(row: Row): void;
  /** No row comes any more. */
  end(): void;
  /** Whether it wants no more rows. */
  readonly isDone?: boolean;
}

/** Makes a step before the next one. */
export type MakeStage = (next: Stage) => Stage;

/** A step that looks at each row by itself. */
export const perRow =
  (handle: (row: Row, next: Stage) => void): MakeStage =>
  (next) => ({
    push: (row) => handle(row, next),
    end: () => next.end(),
    get isDone() {
      return next.isDone ?? false;
    },
  });
