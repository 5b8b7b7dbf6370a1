import * as v from 'valibot'
import { useGet } from '../../staff/requests/use-get.ts'

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const

const content = v.record(v.string(), v.object({ schema: v.exactOptional(v.unknown()) }))
const parameter = v.object({
  in: v.string(),
  name: v.string(),
  required: v.exactOptional(v.boolean()),
  description: v.exactOptional(v.string()),
})
const operation = v.object({
  operationId: v.string(),
  summary: v.string(),
  description: v.string(),
  tags: v.array(v.string()),
  parameters: v.exactOptional(v.array(parameter), []),
  requestBody: v.exactOptional(v.object({ content })),
  responses: v.record(v.string(), v.object({ description: v.string(), content: v.exactOptional(content) })),
})
const document = v.object({
  paths: v.record(v.string(), v.record(v.string(), operation)),
  components: v.object({ schemas: v.record(v.string(), v.unknown()) }),
})

export type ApiCall = v.InferOutput<typeof operation> & { method: string; path: string }

/** All calls of the API, by the part that they belong to, and the schemas that have names. */
export const useApiDocument = () => {
  const { data, error, mutate } = useGet('/api/openapi.json', document)
  const calls = Object.entries(data?.paths ?? {}).flatMap(([path, operations]) =>
    METHODS.flatMap((method): ApiCall[] => {
      const described = operations[method]
      return described ? [{ ...described, method: method.toUpperCase(), path }] : []
    }),
  )
  return {
    groups: data && [...Map.groupBy(calls, ({ tags }) => tags[0] ?? '')],
    schemas: data?.components.schemas,
    error,
    retry: () => mutate(),
  }
}
