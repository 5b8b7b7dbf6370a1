import { type FormEvent, useState } from 'react'
import { reasonOf } from '../../staff/requests/refusal.ts'
import { Button } from '../../ui/button.tsx'
import { TextAreaField, TextField } from '../../ui/form/field.tsx'
import { colour, radius, space, type } from '../../ui/theme.ts'
import type { ApiCall } from './document.ts'
import { type CallResponse, keyOf, sendCall } from './send.ts'

const code = {
  display: 'block',
  maxHeight: '24rem',
  overflow: 'auto',
  margin: 0,
  padding: space.snug,
  borderRadius: radius.control,
  background: colour.sunk,
  fontFamily: 'monospace',
  fontSize: '0.8125rem',
  overflowWrap: 'anywhere' as const,
  whiteSpace: 'pre-wrap' as const,
}

export const Code = ({ label, children }: { label: string; children: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
  <section aria-label={label} tabIndex={0} css={code}>
    <pre css={{ margin: 0, font: 'inherit', whiteSpace: 'inherit' }}>{children}</pre>
  </section>
)

export const CallForm = ({ call, token }: { call: ApiCall; token: string }) => {
  const { operationId: id, method, path, parameters, requestBody } = call
  const [filled, setFilled] = useState<Record<string, string>>({})
  const [body, setBody] = useState('{}')
  const [response, setResponse] = useState<CallResponse>()
  const [problem, setProblem] = useState<string>()
  const [isSending, setSending] = useState(false)
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (isSending) return
    setSending(true)
    setProblem(undefined)
    try {
      setResponse(await sendCall(call, { parameters: filled, body, token }))
    } catch (error) {
      console.warn('The call got no response:', error)
      setResponse(undefined)
      setProblem(reasonOf(error))
    }
    setSending(false)
  }
  return (
    <form aria-label={`${method} ${path}`} onSubmit={send} css={{ display: 'grid', gap: space.snug }}>
      <div
        css={{
          display: 'grid',
          gridTemplateColumns: 'repeat(auto-fill, minmax(min(16rem, 100%), 1fr))',
          gap: space.snug,
        }}
      >
        {parameters.map((parameter) => (
          <TextField
            key={keyOf(parameter)}
            id={`${id}-${parameter.in}-${parameter.name}`}
            label={parameter.name}
            hint={parameter.description ?? (parameter.in === 'path' ? 'Part of the address' : undefined)}
            autoComplete="off"
            value={filled[keyOf(parameter)] ?? ''}
            onChange={({ target }) => setFilled({ ...filled, [keyOf(parameter)]: target.value })}
          />
        ))}
      </div>
      {requestBody && (
        <TextAreaField
          id={`${id}-body`}
          label="Body"
          rows={5}
          spellCheck={false}
          value={body}
          onChange={({ target }) => setBody(target.value)}
        />
      )}
      <div>
        <Button type="submit" look="outline" disabled={isSending}>
          {isSending ? 'Sending...' : 'Send'}
        </Button>
      </div>
      <div role="status">
        {problem && <p css={{ color: colour.bad }}>{problem}</p>}
        {response && (
          <p css={{ fontSize: type.small }}>
            <strong>{response.status}</strong> after {response.duration}
            {response.isCut && ', of which the beginning is'}
          </p>
        )}
      </div>
      {response?.text && <Code label="Response">{response.text}</Code>}
    </form>
  )
}
