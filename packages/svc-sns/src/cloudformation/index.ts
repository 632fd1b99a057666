import type { AnyResourceProvider } from '@emu/core/service';
import { subscription } from './subscription.ts';
import { topic } from './topic.ts';
import { topicInlinePolicy, topicPolicy } from './topic-policy.ts';

/** Providers of SNS's resource types. */
export const providers: readonly AnyResourceProvider[] = [subscription, topic, topicInlinePolicy, topicPolicy];
