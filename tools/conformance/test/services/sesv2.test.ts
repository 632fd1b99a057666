import { sesv2 } from '../../src/scenarios/sesv2.ts';
import { describeConformance } from '../support/conformance.ts';

describeConformance(sesv2);
