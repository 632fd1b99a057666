import { eventProblem } from '../errors.ts';
import type { Event, FunctionTarget } from '../targets.ts';
import type { Translation } from '../translation.ts';
import { isObject } from '../values.ts';
import { addPolled, isPolled } from './polled.ts';
import { addAlexa, addCognito, addIot, addLogs, addS3, addSns } from './push.ts';
import { addRule, addSchedule, addScheduleV2 } from './rules.ts';

type Adder = (event: Event, target: FunctionTarget, to: Translation) => void;

const ADDERS: Readonly<Record<string, Adder>> = {
  AlexaSkill: addAlexa,
  CloudWatchEvent: addRule,
  CloudWatchLogs: addLogs,
  Cognito: addCognito,
  EventBridgeRule: addRule,
  IoTRule: addIot,
  S3: addS3,
  SNS: addSns,
  Schedule: addSchedule,
  ScheduleV2: addScheduleV2,
};

/** Adds what the events of a function need. Those of APIs are the APIs' own. @throws SamProblem */
export function addEvents(target: FunctionTarget, to: Translation): void {
  const { Events: events } = target.properties;
  if (!isObject(events)) return;
  for (const [name, event] of Object.entries(events)) {
    if (!isObject(event) || typeof event.Type !== 'string') throw eventProblem(name, 'Missing required property Type.');
    if (event.Type === 'Api' || event.Type === 'HttpApi') continue;
    const adder = isPolled(event.Type) ? addPolled : ADDERS[event.Type];
    if (!adder) throw eventProblem(name, `Invalid event type '${event.Type}'.`);
    const properties = isObject(event.Properties) ? event.Properties : {};
    adder({ id: `${target.id}${name}`, name, type: event.Type, properties }, target, to);
  }
}
