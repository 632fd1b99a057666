import type { MetricCounter, MetricLevel, RegionMetrics } from '@emu/core/service';

const HOUR = 3_600_000;
/** Milliseconds for which an unused queue is still reported. */
const ACTIVE = 6 * HOUR;

/** Reported properties of a queue. */
interface Levels {
  readonly visible: number;
  readonly inFlight: number;
  readonly delayed: number;
  readonly size: number;
  /** Arrival of the oldest message in epoch milliseconds; undefined if empty. */
  readonly oldest: number | undefined;
}

/**
 * CloudWatch metrics of a queue.
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-available-cloudwatch-metrics.html
 */
export class QueueMetrics {
  private readonly sentCount: MetricCounter;
  private readonly sentSize: MetricCounter;
  private readonly receivedCount: MetricCounter;
  private readonly deletedCount: MetricCounter;
  private readonly emptyReceives: MetricCounter;
  private readonly dimensions: readonly { Name: string; Value: string }[];
  private usedAt = Number.NEGATIVE_INFINITY;

  constructor(board: RegionMetrics, name: string) {
    this.dimensions = [{ Name: 'QueueName', Value: name }];
    const counter = (metric: string, unit = 'Count') => board.counter(this.metric(metric, unit));
    this.sentCount = counter('NumberOfMessagesSent');
    this.sentSize = counter('SentMessageSize', 'Bytes');
    this.receivedCount = counter('NumberOfMessagesReceived');
    this.deletedCount = counter('NumberOfMessagesDeleted');
    this.emptyReceives = counter('NumberOfEmptyReceives');
  }

  /** @param size bytes of the message */
  sent(size: number, now: number): void {
    this.usedAt = now;
    this.sentCount.add(1, now);
    this.sentSize.add(size, now);
  }

  /** @param count messages of one receive */
  received(count: number, now: number): void {
    this.usedAt = now;
    this.receivedCount.add(count, now);
  }

  deleted(now: number): void {
    this.usedAt = now;
    this.deletedCount.add(1, now);
  }

  emptyReceive(now: number): void {
    this.usedAt = now;
    this.emptyReceives.add(1, now);
  }

  /** Gauges of a queue with messages or recent use. */
  levels(queue: Levels, now: number): MetricLevel[] {
    if (!queue.size && now - this.usedAt > ACTIVE) return [];
    const age = queue.oldest === undefined ? 0 : Math.floor((now - queue.oldest) / 1000);
    return [
      { metric: this.metric('ApproximateNumberOfMessagesVisible'), value: queue.visible },
      { metric: this.metric('ApproximateNumberOfMessagesNotVisible'), value: queue.inFlight },
      { metric: this.metric('ApproximateNumberOfMessagesDelayed'), value: queue.delayed },
      { metric: this.metric('ApproximateAgeOfOldestMessage', 'Seconds'), value: age },
    ];
  }

  private metric(name: string, unit = 'Count') {
    return { namespace: 'AWS/SQS', name, dimensions: this.dimensions, unit };
  }
}
