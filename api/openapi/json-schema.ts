import { type ConversionConfig, type JsonSchema, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema'
import * as v from 'valibot'
import { chatMessage, chatSession } from '../../events/chat/wire.ts'
import { followUpForm } from '../../events/lead/follow-up/follow-up.ts'
import { lead } from '../../events/lead/wire.ts'
import { settings } from '../../events/settings/wire.ts'
import { webhookMessage } from '../../events/webhook/wire.ts'

/** The body of every refusal: a problem document (RFC 9457). */
const problem = v.object({
  type: v.string(),
  title: v.string(),
  status: v.number(),
  detail: v.string(),
  errors: v.exactOptional(v.array(v.object({ path: v.string(), message: v.string() }))),
})

/** Schemas that have names of their own in the document. */
const NAMED = {
  Lead: lead,
  FollowUp: followUpForm,
  ChatSession: chatSession,
  ChatMessage: chatMessage,
  Settings: settings,
  WebhookMessage: webhookMessage,
  Problem: problem,
}

type Override = NonNullable<ConversionConfig['overrideSchema']>

/**
 * Required text accepts an empty string and null too, to report by its own message that it is missing (`requiredText`).
 */
const isRequired = (schema: object) =>
  'type' in schema &&
  schema.type === 'nullish' &&
  'pipe' in schema &&
  Array.isArray(schema.pipe) &&
  schema.pipe.some((action) => (action.type === 'min_length' && action.requirement > 0) || action.type === 'email')

/** Declares that an object's required texts must be present, and are texts. */
const overrideSchema: Override = ({ valibotSchema, jsonSchema }) => {
  if (!('entries' in valibotSchema) || jsonSchema.type !== 'object') return undefined
  const entries = Object.entries(valibotSchema.entries as Record<string, object>)
  const missing = entries.flatMap(([name, entry]) => (isRequired(entry) ? [name] : []))
  const properties = Object.entries(jsonSchema.properties ?? {}).map(([name, property]) => {
    if (!missing.includes(name) || typeof property !== 'object') return [name, property] as const
    const { anyOf: _, default: __, ...rest } = property
    return [name, { ...rest, type: 'string' as const }] as const
  })
  const required = [...new Set([...(jsonSchema.required ?? []), ...missing])]
  return { ...jsonSchema, properties: Object.fromEntries(properties), ...(required.length > 0 && { required }) }
}

const CONFIG: ConversionConfig = {
  target: 'draft-2020-12',
  typeMode: 'input',
  // the error explains the checks that only code can do
  errorMode: 'ignore',
  overrideSchema,
  overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
}

/** A schema as JSON Schema, which may refer to the document's own components. */
export const jsonSchemaOf = (schema: v.GenericSchema): JsonSchema => {
  const { $schema: _, $defs: __, ...converted } = toJsonSchema(schema, { ...CONFIG, definitions: NAMED })
  return converted
}

/** The schemas that have names. */
export const namedSchemas = (): Record<string, JsonSchema> => toJsonSchemaDefs(NAMED, CONFIG)
