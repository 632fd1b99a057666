import { events } from '../../src/scenarios/events.ts';
import { describeConformance } from '../support/conformance.ts';

describeConformance(events);
