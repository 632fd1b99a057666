import { Slices } from '@emu/core/service';
import type { InputOf, OutputOf } from '@emu/service-types/cloudwatch';
import type { CloudwatchContext } from '../context.ts';
import { invalid } from '../errors.ts';
import { MathError } from '../math/parse.ts';
import type { NamedSeries } from '../math/values.ts';
import { rangeOf, type TimeRange } from '../metrics/time-series.ts';
import { prepare } from '../queries/prepare.ts';
import { QueryRunner } from '../queries/run.ts';
import { checkQueries } from '../queries/validate.ts';
import { type Colour, Picture } from '../widget/png.ts';
import { parseWidget, type Widget } from '../widget/widget.ts';

const MARGIN = 20;
const AXIS: Colour = [0x54, 0x5b, 0x64];
const COLOURS: readonly Colour[] = [
  [0x1f, 0x77, 0xb4],
  [0xff, 0x7f, 0x0e],
  [0x2c, 0xa0, 0x2c],
  [0xd6, 0x27, 0x28],
  [0x94, 0x67, 0xbd],
  [0x8c, 0x56, 0x4b],
];

/**
 * Returns a plain image of a metric widget, with axes and a line per series but without text.
 * @throws AwsError `ValidationError`
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_GetMetricWidgetImage.html
 */
export async function GetMetricWidgetImage(
  { MetricWidget, OutputFormat = 'png' }: InputOf<'GetMetricWidgetImage'>,
  ctx: CloudwatchContext,
): Promise<OutputOf<'GetMetricWidgetImage'>> {
  if (OutputFormat !== 'png' && OutputFormat !== 'image/png')
    throw invalid(`The value ${OutputFormat} for parameter OutputFormat is not supported.`);
  const now = ctx.clock.now();
  const widget = parseWidget(MetricWidget, now);
  checkQueries(widget.queries, 'metrics');
  ctx.state.noteUsage(widget.queries);
  ctx.state.absorb();
  const { queries, start, end } = widget;
  const [from, to] = [new Date(start), new Date(end)];
  const timesOf = (period: number): TimeRange => rangeOf(from, to, period, now);
  const prepared = await prepare(ctx.state, queries, timesOf);
  const runner = new QueryRunner(ctx.state, { queries, rangeOf: timesOf, prepared });
  try {
    const shown: NamedSeries[] = [];
    const slices = new Slices();
    for (const query of queries)
      if (query.ReturnData !== false)
        for (const { series } of await slices.run(runner.resultsInSteps(query))) shown.push(series);
    return { MetricWidgetImage: draw(widget, shown) };
  } catch (error) {
    if (error instanceof MathError) throw invalid(`Invalid MetricWidget: ${error.message}`);
    throw error;
  }
}

function draw({ width, height, start, end }: Widget, all: readonly NamedSeries[]): Buffer {
  const picture = new Picture(width, height);
  const [left, right, top, bottom] = [MARGIN, width - MARGIN, MARGIN, height - MARGIN];
  picture.line(left, bottom, right, bottom, AXIS);
  picture.line(left, top, left, bottom, AXIS);
  const values = all.flatMap((series) => series.values);
  const least = Math.min(0, ...values);
  const span = Math.max(...values, least + 1) - least;
  const x = (time: number) => left + ((right - left) * (time * 1000 - start)) / (end - start);
  const y = (value: number) => bottom - ((bottom - top) * (value - least)) / span;
  for (const [index, { times, values: own }] of all.entries()) {
    const colour = COLOURS[index % COLOURS.length]!;
    times.forEach((time, place) => {
      const before = Math.max(place - 1, 0);
      picture.line(x(times[before]!), y(own[before]!), x(time), y(own[place]!), colour);
    });
  }
  return picture.png();
}
