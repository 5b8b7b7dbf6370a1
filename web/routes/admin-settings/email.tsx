import { type ReactNode, useEffect, useState } from 'react'
import * as v from 'valibot'
import { valueFor } from '../../../events/base/name-of.ts'
import { type EmailServerState, emailServerState, emailTest } from '../../../events/email/wire.ts'
import { emailServerForm, SUBMISSION_PORT, TLS_PORT } from '../../../events/settings/email-server.ts'
import type { Settings } from '../../../events/settings/wire.ts'
import { read } from '../../client/get.ts'
import { send } from '../../client/http.ts'
import { PasswordField } from '../../staff/account/password-field.tsx'
import { shortMomentOf } from '../../staff/day.ts'
import { Pending } from '../../staff/placeholder.tsx'
import { useBusy } from '../../staff/requests/use-busy.ts'
import { useGet } from '../../staff/requests/use-get.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { colour, from, panel, space, type } from '../../ui/theme.ts'
import { SettingsForm } from './settings-form.tsx'
import { typedNumber } from './typed-number.ts'
import { type PartSection, type SettingsFormProps, useSettingsForm } from './use-settings-form.ts'

const KEY = '/api/email-server'

const { entries } = emailServerForm

const blankAsNull = v.pipe(
  v.string(),
  v.transform((text): string | null => (text.trim() === '' ? null : text)),
)

/** The server as it is typed. A blank password leaves the one that is set. */
const typedForm = v.object({
  host: entries.host,
  port: v.pipe(typedNumber, entries.port),
  username: entries.username,
  password: v.pipe(blankAsNull, entries.password),
  from: v.pipe(blankAsNull, entries.from),
})

const valuesOf = ({ emailServer: server }: Settings) => ({
  host: server?.host ?? '',
  port: String(server?.port ?? SUBMISSION_PORT),
  username: server?.username ?? '',
  password: '',
  from: server?.from ?? '',
})

const SOURCES: Record<EmailServerState['source'], string> = {
  environment: 'Set up in the environment, by SMTP_URL. It wins over these settings, so they cannot be changed here.',
  settings: 'Set up here.',
  none: 'Not set up. Emails to people wait until it is.',
  unknown: 'Only the workers know: give SMTP_URL to the nodes too, even if it is empty.',
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt css={{ color: colour.soft }}>{name}</dt>
    <dd css={{ margin: 0, overflowWrap: 'anywhere' }}>{children}</dd>
  </>
)

const Moment = ({ tried }: { tried: EmailServerState['lastSent'] }) =>
  tried ? <time dateTime={tried.at}>{shortMomentOf(tried.at)}</time> : 'Never'

const State = ({ state }: { state: EmailServerState }) => (
  <dl
    css={{
      display: 'grid',
      gridTemplateColumns: 'max-content minmax(0, 1fr)',
      gap: `${space.hair} ${space.base}`,
      margin: 0,
      fontSize: type.small,
    }}
  >
    <Fact name="Mail server">{SOURCES[state.source]}</Fact>
    {state.hasService && (
      <Fact name="Contracts">The form service of EMAIL_FORWARD_URL takes what goes to the agency.</Fact>
    )}
    <Fact name="Sender">
      {state.from}
      {state.isFromSet && ', by EMAIL_FROM'}
    </Fact>
    <Fact name="Last sent">
      <Moment tried={state.lastSent} />
    </Fact>
    <Fact name="Last failure">
      <Moment tried={state.lastFailed} />
      {state.lastFailed?.answer && `: ${state.lastFailed.answer}`}
    </Fact>
  </dl>
)

const TEST_WORDS = {
  waiting: (to: string) => `On its way to ${to}...`,
  sent: (to: string) => `Sent to ${to}. Look in its inbox, and among its spam.`,
  failed: (_: string, answer: string) => `Not sent. ${answer}`,
}

type Asked = { id: string; to: string }

const Test = ({
  test,
  asked,
  onAsked,
}: {
  test: EmailServerState['test']
  asked: Asked | undefined
  onAsked: (asked: Asked) => void
}) => {
  const { isBusy, run } = useBusy('No test was sent')
  const ask = () => run(async () => onAsked(await send('POST', `${KEY}/test`, {}).then(read(emailTest))))
  const isFailed = test?.state === 'failed'
  return (
    <div css={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: space.snug }}>
      <Button look="outline" disabled={isBusy || test?.state === 'waiting'} onClick={ask}>
        Send a test email
      </Button>
      <p
        role="status"
        css={{
          flex: '1 1 14rem',
          color: isFailed ? colour.bad : colour.soft,
          fontSize: type.small,
          overflowWrap: 'anywhere',
        }}
      >
        {test && asked && valueFor(TEST_WORDS, test.state)?.(asked.to, test.answer)}
      </p>
    </div>
  )
}

/** The state of the mail server, and a test of it; the form is read-only while a variable wins. */
const EmailForm = (props: SettingsFormProps) => {
  const [asked, setAsked] = useState<Asked>()
  const {
    data: state,
    error,
    mutate,
  } = useGet(asked ? `${KEY}?test=${asked.id}` : KEY, emailServerState, {
    poll: (known) => (known?.test?.state === 'waiting' ? 'progress' : 'watched'),
    keepPreviousData: true,
  })
  const { version } = props.settings
  // biome-ignore lint/correctness/useExhaustiveDependencies: a saved server has another state
  useEffect(() => void mutate(), [version])
  if (!state) return <Pending what="the mail server" isLoading error={error} retry={() => mutate()} />
  const { source } = state
  return (
    <div css={{ display: 'grid', gap: space.wide }}>
      <div css={{ display: 'grid', gap: space.base, padding: space.base, ...panel }}>
        <State state={state} />
        {source !== 'none' && <Test test={state.test} asked={asked} onAsked={setAsked} />}
      </div>
      {source !== 'environment' && <ServerForm {...props} isFromSet={state.isFromSet} />}
    </div>
  )
}

const ServerForm = ({ isFromSet, ...props }: SettingsFormProps & { isFromSet: boolean }) => {
  const form = useSettingsForm(props, EMAIL, typedForm, valuesOf)
  const { emailServer: server } = props.settings
  return (
    <SettingsForm form={form} gap={space.base}>
      <div css={{ display: 'grid', gap: space.base, [from.medium]: { gridTemplateColumns: '2fr 1fr' } }}>
        <TextField
          id="email-host"
          label="Host"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="smtp.example.com"
          hint="Leave it empty to send no email."
          {...form.field('host')}
        />
        <TextField
          id="email-port"
          label="Port"
          inputMode="numeric"
          autoComplete="off"
          hint={`${SUBMISSION_PORT}, or ${TLS_PORT}.`}
          {...form.field('port')}
        />
      </div>
      <div css={{ display: 'grid', gap: space.base, [from.medium]: { gridTemplateColumns: '1fr 1fr' } }}>
        <TextField
          id="email-username"
          label="User name"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          {...form.field('username')}
        />
        <PasswordField
          id="email-password"
          label="Password"
          autoComplete="new-password"
          hint={server?.hasPassword ? 'Set. Type another one to replace it.' : 'Not set.'}
          {...form.field('password')}
        />
      </div>
      {!isFromSet && (
        <TextField
          id="email-from"
          label="Sender"
          type="email"
          autoComplete="off"
          hint="The address that emails come from. Leave it empty for the agency’s."
          {...form.field('from')}
        />
      )}
    </SettingsForm>
  )
}

const EmailServerLines = ({ settings: { emailServer: server } }: { settings: Settings }) =>
  server ? (
    <p>
      {server.host}, port {server.port}
      {server.username && `, as ${server.username}`}
      {server.from && `, from ${server.from}`}
    </p>
  ) : (
    <p>No mail server is set here.</p>
  )

/** The mail server: its state, a test, and, unless the environment names it, its settings. */
export const EMAIL: PartSection = {
  id: 'email',
  noun: 'email server',
  intro: 'The server that sends emails to customers and colleagues.',
  secret: 'password',
  Form: EmailForm,
  Shown: EmailServerLines,
}
