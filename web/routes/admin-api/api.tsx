import { useState } from 'react'
import { nameOf } from '../../../events/base/name-of.ts'
import { Chip } from '../../staff/chip.tsx'
import { Pending } from '../../staff/placeholder.tsx'
import { SettingsFrame } from '../../staff/settings/settings-frame.tsx'
import { useTitle } from '../../staff/shell/title.ts'
import { TextField } from '../../ui/form/field.tsx'
import { colour, panel, space, type } from '../../ui/theme.ts'
import { CallForm, Code } from './call-form.tsx'
import { type ApiCall, useApiDocument } from './document.ts'

const json = (schema: unknown) => JSON.stringify(schema, null, 2)

const CallDetails = ({ call }: { call: ApiCall }) => (
  <>
    <p>{call.description}</p>
    {Object.entries(call.requestBody?.content ?? {}).map(([mediaType, { schema }]) => (
      <details key={mediaType}>
        <summary css={{ padding: `${space.tight} 0`, cursor: 'pointer' }}>Body: {mediaType}</summary>
        <Code label="Schema of the body">{json(schema)}</Code>
      </details>
    ))}
    <ul css={{ display: 'grid', gap: space.hair }}>
      {Object.entries(call.responses).map(([status, { description, content = {} }]) => (
        <li key={status}>
          <strong>{status}</strong> {description}
          {status.startsWith('2') &&
            Object.entries(content).map(([mediaType, { schema }]) => (
              <details key={mediaType}>
                <summary css={{ padding: `${space.tight} 0`, cursor: 'pointer' }}>Response: {mediaType}</summary>
                <Code label="Schema of the response">{json(schema)}</Code>
              </details>
            ))}
        </li>
      ))}
    </ul>
  </>
)

const Call = ({ call, token }: { call: ApiCall; token: string }) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <details
      onToggle={({ currentTarget, target }) => target === currentTarget && setOpen(currentTarget.open)}
      css={{
        padding: `${space.tight} ${space.base}`,
        ...panel,
        fontSize: type.small,
        overflowWrap: 'anywhere',
      }}
    >
      <summary css={{ minHeight: '2rem', padding: `${space.tight} 0`, cursor: 'pointer' }}>
        <Chip>{call.method}</Chip> <code>{call.path}</code> <span css={{ color: colour.soft }}>{call.summary}</span>
      </summary>
      {isOpen && (
        <div css={{ display: 'grid', gap: space.base, padding: `${space.tight} 0 ${space.base}` }}>
          <CallDetails call={call} />
          <CallForm call={call} token={token} />
        </div>
      )}
    </details>
  )
}

/** Lists all calls of the API from its own OpenAPI document, each with a form that sends it. */
export const ApiScreen = () => {
  useTitle('API')
  const { groups, schemas, error, retry } = useApiDocument()
  const [token, setToken] = useState('')
  return (
    <SettingsFrame title="API">
      <p css={{ maxWidth: '40rem', margin: `${space.tight} 0 ${space.roomy}`, color: colour.soft }}>
        The calls that other programs can make, from the <a href="/api/openapi.json">OpenAPI document</a>. A call that
        you send here is real. Without a token, it is sent in your name.
      </p>
      <div css={{ maxWidth: '30rem', marginBottom: space.roomy }}>
        <TextField
          id="api-token"
          label="API token"
          type="password"
          autoComplete="off"
          hint="Stays on this page, and is sent with each call."
          value={token}
          onChange={({ target }) => setToken(target.value.trim())}
        />
      </div>
      <Pending what="the document" isLoading={!groups} error={error} retry={retry} />
      {groups?.map(([group, calls]) => (
        <section key={group} aria-label={nameOf({}, group)} css={{ marginBottom: space.roomy }}>
          <h2 css={{ marginBottom: space.tight, fontSize: type.step }}>{nameOf({}, group)}</h2>
          <div css={{ display: 'grid', gap: space.tight }}>
            {calls.map((call) => (
              <Call key={call.operationId} call={call} token={token} />
            ))}
          </div>
        </section>
      ))}
      {schemas && (
        <section aria-label="Schemas">
          <h2 css={{ marginBottom: space.tight, fontSize: type.step }}>Schemas</h2>
          {Object.entries(schemas).map(([name, schema]) => (
            <details key={name} css={{ fontSize: type.small }}>
              <summary css={{ minHeight: '2rem', padding: `${space.tight} 0`, cursor: 'pointer' }}>{name}</summary>
              <Code label={name}>{json(schema)}</Code>
            </details>
          ))}
        </section>
      )}
    </SettingsFrame>
  )
}
