import type { DashboardValidationMessage } from '@emu/service-types/cloudwatch';
import { isObject, parseJson } from '@emu/wire';

/** Problems of a dashboard body. */
export interface DashboardProblems {
  /** Errors that prevent storing it. */
  errors: DashboardValidationMessage[];
  /** Warnings about possibly unintended content. */
  warnings: DashboardValidationMessage[];
}

type Json = Record<string, unknown>;

const TYPES = ['metric', 'text', 'log', 'alarm', 'explorer', 'custom'];
const MAX_WIDGETS = 500;
/** Number of columns of a dashboard. */
const WIDTH = 24;
const MAX_ROWS = 1000;

/**
 * Validates a dashboard body.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/CloudWatch-Dashboard-Body-Structure.html
 */
export function validateDashboard(text: string): DashboardProblems {
  const problems: DashboardProblems = { errors: [], warnings: [] };
  const error = (DataPath: string, Message: string) => problems.errors.push({ DataPath, Message });
  const warn = (DataPath: string, Message: string) => problems.warnings.push({ DataPath, Message });
  let body: unknown;
  try {
    body = parseJson(text);
  } catch {
    body = undefined;
  }
  if (!isObject(body)) {
    error('', 'The field DashboardBody must be a valid JSON object');
    return problems;
  }
  for (const key of Object.keys(body))
    if (!['widgets', 'start', 'end', 'periodOverride', 'variables'].includes(key))
      warn(`/${key}`, `Unknown field ${key} at root level`);
  const { widgets } = body;
  if (widgets === undefined) return problems;
  if (!Array.isArray(widgets)) {
    error('/widgets', 'Should be array');
    return problems;
  }
  if (widgets.length > MAX_WIDGETS) error('/widgets', `Should NOT have more than ${MAX_WIDGETS} items`);
  widgets.forEach((widget: unknown, index) => {
    checkWidget(widget, `/widgets/${index}`, error, warn);
  });
  return problems;
}

type Report = (path: string, message: string) => unknown;

function checkWidget(widget: unknown, path: string, error: Report, warn: Report): void {
  if (!isObject(widget)) {
    error(path, 'Should be object');
    return;
  }
  const { type, properties } = widget;
  if (type === undefined) error(path, "Should have required property 'type'");
  else if (!TYPES.includes(type as string)) error(`${path}/type`, 'Should be equal to one of the allowed values');
  checkPlace(widget, path, error);
  if (type === 'text' || type === 'metric' || type === 'log' || type === 'alarm') {
    if (properties === undefined) error(path, "Should have required property 'properties'");
    else if (!isObject(properties)) error(`${path}/properties`, 'Should be object');
    else checkProperties(type, properties, `${path}/properties`, error, warn);
  }
}

function checkPlace(widget: Json, path: string, error: Report): void {
  const limits = {
    x: [0, WIDTH - 1],
    y: [0, Number.POSITIVE_INFINITY],
    width: [1, WIDTH],
    height: [1, MAX_ROWS],
  } as const;
  for (const [member, [least, most]] of Object.entries(limits)) {
    const value = widget[member];
    if (value === undefined) continue;
    if (!Number.isInteger(value)) error(`${path}/${member}`, 'Should be integer');
    else if ((value as number) < least) error(`${path}/${member}`, `Should be >= ${least}`);
    else if ((value as number) > most) error(`${path}/${member}`, `Should be <= ${most}`);
  }
}

/** Required members of widgets by type. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  text: ['markdown'],
  metric: [],
  log: ['region', 'query'],
  alarm: ['alarms'],
};

function checkProperties(type: string, properties: Json, path: string, error: Report, warn: Report): void {
  for (const member of REQUIRED[type]!)
    if (properties[member] === undefined) error(path, `Should have required property '${member}'`);
  if (type !== 'metric') return;
  const { metrics, annotations, region, period, view } = properties;
  if (metrics === undefined && !isObject(annotations)) error(path, "Should have required property 'metrics'");
  if (metrics !== undefined && !Array.isArray(metrics)) error(`${path}/metrics`, 'Should be array');
  if (metrics !== undefined && region === undefined) warn(path, "Should have required property 'region'");
  if (period !== undefined && typeof period !== 'number') error(`${path}/period`, 'Should be number');
  if (view !== undefined && !['timeSeries', 'singleValue', 'gauge', 'bar', 'pie', 'table'].includes(view as string))
    error(`${path}/view`, 'Should be equal to one of the allowed values');
  if (Array.isArray(metrics))
    metrics.forEach((metric: unknown, index) => {
      if (!Array.isArray(metric)) error(`${path}/metrics/${index}`, 'Should be array');
    });
}
