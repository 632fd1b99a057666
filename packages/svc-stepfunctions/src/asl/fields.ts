import { isComparison } from './choice.ts';
import type { QueryLanguage } from './definition.ts';
import type { JsonObject } from './json.ts';

/** Fields of an object of a definition by the query language that supports them. */
interface Fields {
  readonly both: readonly string[];
  readonly JSONPath?: readonly string[];
  readonly JSONata?: readonly string[];
}

const STATE: Fields = { both: ['Type', 'Comment', 'QueryLanguage'] };
const DATA: Fields = { both: [], JSONPath: ['InputPath', 'OutputPath'], JSONata: ['Output'] };
const ASSIGN: Fields = { both: ['Assign'] };
const TRANSITION: Fields = { both: ['Next', 'End'] };
const ERRORS: Fields = { both: ['Retry', 'Catch'] };
const RESULT: Fields = { both: [], JSONPath: ['ResultSelector', 'ResultPath'] };
const PARAMETERS: Fields = { both: [], JSONPath: ['Parameters'] };
const ARGUMENTS: Fields = { both: [], JSONata: ['Arguments'] };

/** Fields of Map that require distributed mode. */
export const DISTRIBUTED_FIELDS = [
  'ItemReader',
  'ItemBatcher',
  'ResultWriter',
  'Label',
  'ToleratedFailureCount',
  'ToleratedFailureCountPath',
  'ToleratedFailurePercentage',
  'ToleratedFailurePercentagePath',
] as const;

const ANY: readonly Fields[] = [STATE, DATA];
const FLOW: readonly Fields[] = [...ANY, ASSIGN, TRANSITION];
const WORK: readonly Fields[] = [...FLOW, ERRORS, RESULT, PARAMETERS];

/**
 * Fields of each type of state.
 * @see https://states-language.net/spec.html#state-type-table
 */
const BY_TYPE: Readonly<Record<string, readonly Fields[]>> = {
  Task: [
    ...WORK,
    ARGUMENTS,
    {
      both: ['Resource', 'Credentials', 'TimeoutSeconds', 'HeartbeatSeconds'],
      JSONPath: ['TimeoutSecondsPath', 'HeartbeatSecondsPath'],
    },
  ],
  Pass: [...FLOW, PARAMETERS, { both: [], JSONPath: ['Result', 'ResultPath'] }],
  Choice: [...ANY, ASSIGN, { both: ['Choices', 'Default'] }],
  Wait: [...FLOW, { both: ['Seconds', 'Timestamp'], JSONPath: ['SecondsPath', 'TimestampPath'] }],
  Succeed: ANY,
  Fail: [STATE, { both: ['Error', 'Cause'], JSONPath: ['ErrorPath', 'CausePath'] }],
  Parallel: [...WORK, ARGUMENTS, { both: ['Branches'] }],
  Map: [
    ...WORK,
    {
      both: [
        'ItemProcessor',
        'Iterator',
        'ItemSelector',
        'MaxConcurrency',
        ...DISTRIBUTED_FIELDS.filter((field) => !field.endsWith('Path')),
      ],
      JSONPath: ['ItemsPath', 'MaxConcurrencyPath', ...DISTRIBUTED_FIELDS.filter((field) => field.endsWith('Path'))],
      JSONata: ['Items'],
    },
  ],
};

/** Fields of the parts of a definition. */
const PARTS = {
  machine: { both: ['Comment', 'QueryLanguage', 'StartAt', 'States', 'TimeoutSeconds', 'Version'] },
  branch: { both: ['Comment', 'StartAt', 'States'] },
  processor: { both: ['Comment', 'ProcessorConfig', 'StartAt', 'States'] },
  retrier: {
    both: [
      'BackoffRate',
      'Comment',
      'ErrorEquals',
      'IntervalSeconds',
      'JitterStrategy',
      'MaxAttempts',
      'MaxDelaySeconds',
    ],
  },
  catcher: { both: ['Assign', 'Comment', 'ErrorEquals', 'Next'], JSONPath: ['ResultPath'], JSONata: ['Output'] },
  rule: {
    both: ['Assign', 'Comment', 'Next'],
    JSONPath: ['And', 'Not', 'Or', 'Variable'],
    JSONata: ['Condition', 'Output'],
  },
} satisfies Record<string, Fields>;

/** A part of a definition with a fixed set of fields. */
export type Part = keyof typeof PARTS;

type Support = ReadonlyMap<string, QueryLanguage | 'both'>;

function supportOf(groups: readonly Fields[]): Support {
  const support = new Map<string, QueryLanguage | 'both'>();
  for (const group of groups)
    for (const language of ['both', 'JSONPath', 'JSONata'] as const)
      for (const field of group[language] ?? []) support.set(field, language);
  return support;
}

const SUPPORT: Readonly<Record<string, Support>> = Object.fromEntries(
  [...Object.entries(BY_TYPE), ...Object.entries(PARTS).map(([part, fields]) => [part, [fields]] as const)].map(
    ([name, groups]) => [name, supportOf(groups)],
  ),
);

/**
 * Returns AWS's messages for the fields of an object that its kind or its query language does not support.
 * @param kind a type of state or a part of a definition
 * @see https://docs.aws.amazon.com/step-functions/latest/dg/transforming-data.html
 */
export function unsupportedFields(object: JsonObject, kind: string, language: QueryLanguage): string[] {
  const messages: string[] = [];
  for (const field of Object.keys(object)) {
    const support = SUPPORT[kind]!.get(field) ?? (kind === 'rule' && isComparison(field) ? 'JSONPath' : undefined);
    if (support === undefined) messages.push(`Field '${field}' is not supported`);
    else if (support !== 'both' && support !== language)
      messages.push(
        `The QueryLanguage is set to '${language}', but field '${field}' is only supported for the '${support}' QueryLanguage`,
      );
  }
  return messages;
}
