import type { FoundDifference } from './differences.ts';
import { type DifferenceGroup, groupsOf, type OperationGroup } from './groups.ts';
import type { ReplayResult } from './replay.ts';

/** Formats of reports. */
export const REPORTS = ['text', 'json', 'junit', 'markdown'] as const;
export type ReportFormat = (typeof REPORTS)[number];

/** Result of a replay for a report. */
export interface Reported extends ReplayResult {
  /** Number of differences that a list ignores. They are not in `differences`. */
  readonly ignored: number;
}

/** Maximum number of lines that a report names for a group. */
const MAX_LINES = 5;

/** Returns a report as text, with a newline at the end. */
export function reportOf(result: Reported, format: ReportFormat): string {
  switch (format) {
    case 'text':
      return textReport(result);
    case 'json':
      return jsonReport(result);
    case 'junit':
      return junitReport(result);
    case 'markdown':
      return markdownReport(result);
  }
}

function summaryOf({ compared, leftOut, differences, ignored }: Reported): string {
  const different = new Set(differences.map(({ file, line }) => `${line} ${file}`)).size;
  const others = [
    `${counted(differences.length, 'difference')} in ${counted(different, 'request')}`,
    ...(ignored > 0 ? [`${ignored} ignored`] : []),
    ...(leftOut > 0 ? [`${counted(leftOut, 'request')} left out`] : []),
  ];
  return `${counted(compared, 'request')} compared: ${others.join(', ')}`;
}

const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

const linesOf = ({ differences }: DifferenceGroup): string => {
  const places = [...new Set(differences.map(({ file, line }) => `${file}:${line}`))];
  const more = places.length - MAX_LINES;
  return `${places.slice(0, MAX_LINES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
};

/** Returns the values of the first difference of a group. */
function valuesOf({ recorded, actual }: FoundDifference): string {
  if (recorded !== undefined && actual !== undefined) return `${printable(recorded)} → ${printable(actual)}`;
  return printable(recorded ?? actual ?? '');
}

/** Replaces control characters, which a terminal would interpret. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are replaced
const printable = (text: string): string => text.replaceAll(/[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g, ' ');

const titleOf = ({ service, operation }: Pick<OperationGroup, 'service' | 'operation'>): string =>
  printable(`${service} ${operation}`);

function textReport(result: Reported): string {
  const lines: string[] = [];
  for (const group of groupsOf(result.differences, result.operations)) {
    lines.push(`${titleOf(group)}: ${group.different} of ${group.requests} requests differ`);
    for (const kind of group.groups) {
      const times = kind.differences.length > 1 ? ` (${kind.differences.length} times)` : '';
      lines.push(
        `  ${kind.class}${kind.path === '' ? '' : ` ${printable(kind.path)}`}${times}: ${valuesOf(kind.differences[0]!)}`,
      );
      lines.push(`    ${printable(linesOf(kind))}`);
    }
  }
  return `${[...lines, summaryOf(result)].join('\n')}\n`;
}

function jsonReport({ compared, leftOut, ignored, differences, operations }: Reported): string {
  const groups = groupsOf(differences, operations);
  return `${JSON.stringify({ compared, leftOut, ignored, operations: groups }, undefined, 2)}\n`;
}

/** Characters that XML cannot contain. */
const NOT_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd]/g;

const xml = (text: string): string =>
  text
    .replaceAll(NOT_XML, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

/** Returns a test case for each operation of the recording. */
function junitReport(result: Reported): string {
  const groups = new Map(
    groupsOf(result.differences, result.operations).map((group) => [`${group.service} ${group.operation}`, group]),
  );
  const cases = [...result.operations.keys()].map((key) => {
    const [service = '', operation = ''] = key.split(' ');
    const head = `    <testcase classname="${xml(service)}" name="${xml(operation)}"`;
    const group = groups.get(key);
    if (!group) return `${head}/>`;
    const text = group.groups
      .map((kind) => `${kind.class} ${kind.path}: ${valuesOf(kind.differences[0]!)} (${linesOf(kind)})`)
      .join('\n');
    const message = `${group.different} of ${group.requests} requests differ`;
    return `${head}>\n      <failure message="${xml(message)}">${xml(text)}</failure>\n    </testcase>`;
  });
  const counts = `tests="${result.operations.size}" failures="${groups.size}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="emu replay" ${counts}>`,
    ...cases,
    '  </testsuite>',
    '</testsuites>\n',
  ].join('\n');
}

/** Escapes a cell of a table, also for HTML. */
const cell = (text: string): string =>
  printable(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(/[\\|`*_[\]]/g, '\\$&');

function markdownReport(result: Reported): string {
  const rows = groupsOf(result.differences, result.operations).flatMap((group) =>
    group.groups.map((kind) =>
      [
        cell(titleOf(group)),
        cell(kind.class),
        cell(kind.path),
        String(kind.differences.length),
        cell(valuesOf(kind.differences[0]!)),
        cell(linesOf(kind)),
      ].join(' | '),
    ),
  );
  const table = rows.length
    ? [
        '',
        '| Operation | Difference | Member | Count | Recorded → emu | Lines |',
        '| --- | --- | --- | ---: | --- | --- |',
        ...rows.map((row) => `| ${row} |`),
      ]
    : [];
  return `${[summaryOf(result), ...table].join('\n')}\n`;
}
