import * as v from 'valibot'
import { register } from '../events/catalogue.ts'
import { defineEvent } from '../events/definition.ts'
import { readConfig } from './config.ts'
import { runWorker } from './run-worker.ts'

// For tests: a worker of the next version, which knows an event that this one does not.

/** An event that only the next version knows. */
const leadStarred = defineEvent({ type: 'LeadStarred', schemaVersion: 1, data: v.object({}), personal: null })

register(leadStarred)
await runWorker(readConfig())
