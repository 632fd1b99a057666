import { isObject } from '@emu/wire';
import { eventProblem } from '../errors.ts';
import type { Event, FunctionTarget } from '../targets.ts';
import type { Translation } from '../translation.ts';
import type { Obj } from '../values.ts';
import { printed, pythonType } from '../words.ts';
import { addPolled, isPolled } from './polled.ts';
import { checkEventProperties, isEventType } from './properties.ts';
import { addAlexa, addCognito, addIot, addLogs, addS3, addSns, checkBucket, checkUserPool } from './push.ts';
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

/**
 * Validates the events of a function: types, properties, and resources of the template that they refer to.
 * @throws SamProblem
 */
export function checkEvents(functionId: string, { Events: events }: Obj, to: Translation): void {
  if (!isObject(events)) return;
  for (const [name, event] of Object.entries(events)) {
    if (!isObject(event)) throw eventProblem(name, `'${pythonType(event)}' object has no attribute 'get'`);
    const { Type: type, Properties: properties } = event;
    if (!isEventType(type))
      throw eventProblem(
        name,
        `Resource dict has missing or invalid value for key Type. Event Type is: ${printed(type)}.`,
      );
    const id = `${functionId}${name}`;
    const given = isObject(properties) ? properties : {};
    checkEventProperties(id, type, given);
    if (type === 'S3') checkBucket(name, given, to);
    if (type === 'Cognito') checkUserPool(id, name, given, to);
  }
}

/**
 * Adds resources for the events of a function, except API events, which the APIs translate.
 * @throws SamProblem
 */
export function addEvents(target: FunctionTarget, to: Translation): void {
  const { Events: events } = target.properties;
  if (!isObject(events)) return;
  for (const [name, event] of Object.entries(events as Record<string, Obj>)) {
    const type = event.Type as string;
    if (type === 'Api' || type === 'HttpApi') continue;
    const properties = isObject(event.Properties) ? event.Properties : {};
    const adder = isPolled(type) ? addPolled : ADDERS[type]!;
    adder({ id: `${target.id}${name}`, name, type, properties }, target, to);
  }
}
