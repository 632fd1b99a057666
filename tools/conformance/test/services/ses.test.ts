import { ses } from '../../src/scenarios/ses.ts';
import { describeConformance } from '../support/conformance.ts';

describeConformance(ses);
