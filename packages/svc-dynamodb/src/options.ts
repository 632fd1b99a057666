import { integer, optional, text, withDefault } from '@emu/core/options';
import type { GivenSettings } from '@emu/core/service';

/** Settings of DynamoDB: durations of table changes, and imports at start. */
export const DYNAMODB_OPTIONS = {
  EMULATOR_DYNAMODB_TABLE_DELAY: withDefault('0', {
    flag: 'dynamodb-table-delay',
    schema: integer(0),
    description:
      'Milliseconds of emulated time that a table is CREATING, UPDATING or DELETING; 0 to skip these states.',
    placeholder: 'MS',
    services: ['dynamodb'],
  }),
  EMULATOR_DYNAMODB_IMPORT_PATH: optional('none', {
    flag: 'dynamodb-import-path',
    schema: text('a directory'),
    description:
      'Export directory (with manifest-summary.json) to load as a new table at start-up; requires --dynamodb-import-describe-table.',
    placeholder: 'DIR',
    services: ['dynamodb'],
  }),
  EMULATOR_DYNAMODB_DESCRIBE_TABLE: optional('none', {
    flag: 'dynamodb-import-describe-table',
    schema: text('a file'),
    description: 'JSON output of describe-table with the shape of the table that --dynamodb-import-path loads.',
    placeholder: 'FILE',
    services: ['dynamodb'],
  }),
  EMULATOR_DYNAMODB_IMPORT_DIR: optional('none', {
    flag: 'dynamodb-import-dir',
    schema: text('a directory'),
    description: 'Directory of export directories, each with its describe-table.json; each is loaded as a new table.',
    placeholder: 'DIR',
    services: ['dynamodb'],
  }),
};

const PATH = 'EMULATOR_DYNAMODB_IMPORT_PATH';
const SHAPE = 'EMULATOR_DYNAMODB_DESCRIBE_TABLE';
const FOLDER = 'EMULATOR_DYNAMODB_IMPORT_DIR';

/**
 * Checks the import settings: a single export requires a description of its table, a folder of exports contains the
 * descriptions.
 */
export function checkOptions(settings: GivenSettings): string | undefined {
  const { [PATH]: path, [SHAPE]: shape, [FOLDER]: folder } = settings.of(DYNAMODB_OPTIONS);
  const { by } = settings;
  if (folder && (path || shape)) return `${by(FOLDER)} and ${by(path ? PATH : SHAPE)} exclude each other.`;
  if (path && !shape) return `${by(PATH)} requires ${by(SHAPE)} (${SHAPE}).`;
  if (shape && !path) return `${by(SHAPE)} requires ${by(PATH)} (${PATH}).`;
  return undefined;
}
