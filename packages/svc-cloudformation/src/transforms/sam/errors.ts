/** What is wrong with a resource or an event, as SAM words it. */
export class SamProblem extends Error {
  override readonly name = 'SamProblem';
}

/** What is wrong with one resource of a template. */
export const resourceProblem = (id: string, problem: string): SamProblem =>
  new SamProblem(`Resource with id [${id}] is invalid. ${problem}`);

/** What is wrong with an event of a resource. */
export const eventProblem = (id: string, problem: string): SamProblem =>
  new SamProblem(`Event with id [${id}] is invalid. ${problem}`);

/** What is wrong with the template itself. */
export const documentProblem = (problem: string): SamProblem =>
  new SamProblem(`Structure of the SAM template is invalid. ${problem}`);

/** A template that cannot be translated: everything that is wrong with it. */
export class InvalidSamTemplate extends Error {
  override readonly name = 'InvalidSamTemplate';
  constructor(readonly problems: readonly string[]) {
    super(
      `Invalid Serverless Application Specification document. Number of errors found: ${problems.length}. ${problems.join(' ')}`,
    );
  }
}
