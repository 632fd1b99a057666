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

const MAX_WIDGETS = 500;
/** Number of columns of a dashboard. */
const WIDTH = 24;
const MAX_ROWS = 1000;
const MAX_ALARMS = 100;
/** Limit of reported problems, for bodies that consist of them. */
const MAX_PROBLEMS = 1000;

/** A color of a metric, such as `#d62728`. */
const COLOR = /^#[0-9a-f]{6}$/i;

/**
 * Validates a dashboard body.
 * @returns undefined for a text that is not a JSON object
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/CloudWatch-Dashboard-Body-Structure.html
 */
export function validateDashboard(text: string): DashboardProblems | undefined {
  const problems: DashboardProblems = { errors: [], warnings: [] };
  const reportTo = (list: DashboardValidationMessage[]) => (DataPath: string, Message: string) => {
    if (list.length < MAX_PROBLEMS) list.push({ DataPath, Message });
  };
  const error = reportTo(problems.errors);
  const warn = reportTo(problems.warnings);
  let body: unknown;
  try {
    body = parseJson(text);
  } catch {
    body = undefined;
  }
  if (!isObject(body)) return undefined;
  for (const key of Object.keys(body))
    if (!['widgets', 'start', 'end', 'periodOverride', 'variables'].includes(key))
      warn(`/${key}`, `Unknown field ${key} at root level`);
  const { widgets } = body;
  if (!Array.isArray(widgets)) {
    if (widgets === undefined) error('', "Should have required property 'widgets'");
    else error('/widgets', 'Should be array');
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
  // AWS stores widgets of unknown types.
  if (type === undefined) error(path, "Should have required property 'type'");
  checkPlace(widget, path, error);
  if (properties === undefined) error(path, "Should have required property 'properties'");
  else if (!isObject(properties)) error(`${path}/properties`, 'Should be object');
  else checkProperties(type, properties, `${path}/properties`, error, warn);
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

function checkProperties(type: unknown, properties: Json, path: string, error: Report, warn: Report): void {
  for (const member of REQUIRED[String(type)] ?? [])
    if (properties[member] === undefined) error(path, `Should have required property '${member}'`);
  if (type === 'metric') checkMetricWidget(properties, path, error, warn);
  if (type === 'alarm' && Array.isArray(properties.alarms)) {
    const { length } = properties.alarms;
    if (length < 1) error(`${path}/alarms`, 'Should NOT have less than 1 items');
    if (length > MAX_ALARMS) error(`${path}/alarms`, `Should NOT have more than ${MAX_ALARMS} items`);
  }
}

function checkMetricWidget(properties: Json, path: string, error: Report, warn: Report): void {
  const { metrics, annotations, region, period, view } = properties;
  if (metrics === undefined && !isObject(annotations)) {
    error(path, "Should have required property 'metrics'");
    error(path, 'The metric widget should have specified a region and a data source or an alarm annotation');
    error(path, "Should have required property 'annotations'");
  }
  if (metrics !== undefined && !Array.isArray(metrics)) error(`${path}/metrics`, 'Should be array');
  if (metrics !== undefined && region === undefined) warn(path, "Should have required property 'region'");
  if (period !== undefined && typeof period !== 'number') error(`${path}/period`, 'Should be number');
  if (view !== undefined && !['timeSeries', 'singleValue', 'gauge', 'bar', 'pie', 'table'].includes(view as string))
    error(`${path}/view`, 'Should be equal to one of the allowed values');
  if (Array.isArray(metrics))
    metrics.forEach((metric: unknown, index) => {
      checkMetric(metric, `${path}/metrics/${index}`, error);
    });
}

/** Validates a metric: namespace, name, names and values of dimensions, and finally an object with rendering options. */
function checkMetric(metric: unknown, path: string, error: Report): void {
  if (!Array.isArray(metric)) {
    const form = 'an array of array of strings, with an optional metricRenderer object as last element';
    error(path, `Field "metrics" has to be ${form}`);
    return;
  }
  const last: unknown = metric.at(-1);
  const texts: unknown[] = isObject(last) ? metric.slice(0, -1) : metric;
  for (const [index, text] of texts.entries())
    if (typeof text !== 'string' || text === '')
      error(`${path}/${index}`, 'Invalid metric field type, only "String" type is allowed');
  // A dimension without a value and invalid options are counted as surplus elements. `...` stands for any number.
  const paired = texts.length % 2 === 0 || texts.length === 1 || texts.includes('...');
  if (!paired || (isObject(last) && !isRenderer(last)))
    error(path, `Should NOT have more than ${metric.length - 1} items`);
}

/** Whether an object can be the rendering options of a metric; dimensions belong into the array. */
const isRenderer = ({ color, dimensions }: Json): boolean =>
  dimensions === undefined && (color === undefined || (typeof color === 'string' && COLOR.test(color)));
