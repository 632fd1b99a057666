import type { AnyResourceProvider } from '@emu/core/service';
import { resourcePolicy, streamConsumer } from './consumer.ts';
import { stream } from './stream.ts';

/** Providers of Amazon Kinesis Data Streams' resource types. */
export const providers: readonly AnyResourceProvider[] = [resourcePolicy, stream, streamConsumer];
