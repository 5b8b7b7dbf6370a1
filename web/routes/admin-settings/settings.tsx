import { type ReactNode, useCallback, useState } from 'react'
import { Link } from 'react-router'
import type { Settings } from '../../../events/settings/wire.ts'
import { useMe } from '../../staff/account.ts'
import { useColleagues } from '../../staff/colleagues.ts'
import { FetchFailure, Notice } from '../../staff/notice.tsx'
import { type SettingsPart, useSettings } from '../../staff/settings.ts'
import { SettingsSection } from '../../staff/settings-section.tsx'
import { SettingsTabs } from '../../staff/settings-tabs.tsx'
import { useTitle } from '../../staff/shell/title.ts'
import { colour, from, space, type } from '../../ui/theme.ts'
import { Accounts } from './accounts.tsx'
import { AnswerTemplatesForm, TemplatesList } from './answer-templates.tsx'
import { CannedRepliesForm, RepliesList } from './canned-replies.tsx'
import { ChatGreetingsForm, GreetingsList } from './chat-greetings.tsx'
import { CompanyForm, CompanyLines } from './company.tsx'
import { HoursSummary } from './hours-summary.tsx'
import { AddressList, InboxAddressesForm } from './inbox-addresses.tsx'
import { OfferForm, OfferLine } from './offer.tsx'
import { OwnTexts, PackageTextsForm } from './package-texts.tsx'
import { QuoteChoicesForm, QuoteChoicesList } from './quote-choices.tsx'
import { SectionIndex } from './section-index.tsx'
import { GROUPS, SECTIONS, type SectionName } from './sections.ts'
import { ShowcaseForm, ShowcaseLine } from './showcase.tsx'
import { SupportHoursForm } from './support-hours.tsx'
import { Tokens } from './tokens.tsx'
import { Webhooks } from './webhooks.tsx'
import { WeekStartForm, WeekStartLine } from './week-start.tsx'

/** The parts below each other, with the navigation between them alongside. */
const Parts = ({ contents, unsaved }: { contents: Record<SectionName, ReactNode>; unsaved: ReadonlySet<string> }) => (
  <div
    css={{
      display: 'grid',
      gridTemplateColumns: 'minmax(0, 1fr)',
      gap: `${space.roomy} ${space.broad}`,
      marginTop: space.roomy,
      [from.large]: { gridTemplateColumns: '13rem minmax(0, 1fr)', marginTop: space.wide },
    }}
  >
    <SectionIndex unsaved={unsaved} />
    <div>
      {GROUPS.flatMap(({ sections }) => sections).map((name) => (
        <SettingsSection key={name} isStacked {...SECTIONS[name]}>
          {contents[name]}
        </SettingsSection>
      ))}
    </div>
  </div>
)

const NOTHING_UNSAVED: ReadonlySet<string> = new Set()

/** For owners: each part a form of its own. */
const Editable = ({ settings, accountId }: { settings: Settings; accountId: string }) => {
  const [dirty, setDirty] = useState<ReadonlySet<SettingsPart>>(new Set())
  const onDirty = useCallback((part: SettingsPart, isDirty: boolean) => {
    setDirty((before) => {
      if (before.has(part) === isDirty) return before
      const after = new Set(before)
      if (isDirty) after.add(part)
      else after.delete(part)
      return after
    })
  }, [])
  const form = { settings, accountId, onDirty }
  return (
    <Parts
      unsaved={dirty}
      contents={{
        hours: <SupportHoursForm {...form} />,
        replies: <CannedRepliesForm {...form} />,
        templates: <AnswerTemplatesForm {...form} />,
        greetings: <ChatGreetingsForm {...form} />,
        inboxes: <InboxAddressesForm {...form} />,
        offer: <OfferForm {...form} />,
        packages: <PackageTextsForm {...form} />,
        quote: <QuoteChoicesForm {...form} />,
        showcase: <ShowcaseForm {...form} />,
        company: <CompanyForm {...form} />,
        accounts: <Accounts />,
        week: <WeekStartForm {...form} />,
        tokens: <Tokens />,
        webhooks: <Webhooks />,
      }}
    />
  )
}

/** The settings read-only, for agents. */
const Readable = ({ settings }: { settings: Settings }) => {
  const { data: colleagues } = useColleagues()
  return (
    <Parts
      unsaved={NOTHING_UNSAVED}
      contents={{
        hours: <HoursSummary hours={settings.supportHours} />,
        replies: <RepliesList replies={settings.cannedReplies} />,
        templates: <TemplatesList templates={settings.answerTemplates} />,
        greetings: <GreetingsList settings={settings} />,
        inboxes: <AddressList addresses={settings.inboxAddresses} />,
        offer: <OfferLine settings={settings} />,
        packages: <OwnTexts settings={settings} />,
        quote: <QuoteChoicesList settings={settings} />,
        showcase: <ShowcaseLine settings={settings} />,
        company: <CompanyLines settings={settings} />,
        accounts: (
          <ul aria-label="Accounts">
            {colleagues?.map(({ id, displayName }) => (
              <li key={id}>{displayName}</li>
            ))}
          </ul>
        ),
        week: <WeekStartLine settings={settings} />,
        tokens: <p>Only owners see them.</p>,
        webhooks: (
          <p>
            Only owners keep them. You can see the <Link to="/admin-webhooks">webhook log</Link>.
          </p>
        ),
      }}
    />
  )
}

/** The agency's settings, and its staff. */
export const SettingsScreen = () => {
  useTitle('Settings')
  const { data: me } = useMe()
  const { data, error, mutate } = useSettings()
  return (
    <>
      <SettingsTabs />
      <h1 css={{ fontSize: type.heading }}>Settings</h1>
      <p css={{ maxWidth: '40rem', marginTop: space.tight, color: colour.soft }}>
        {me?.role === 'agent'
          ? 'You can read what is set. Only owners can change it: ask one of them.'
          : 'Save each section that you change. What is saved applies immediately (open chats: within a minute).'}
      </p>
      {error && <FetchFailure title="Error loading settings" error={error} retry={() => mutate()} />}
      {(!data || !me) && !error && <Notice title="Loading settings..." />}
      {data && me?.role === 'owner' && <Editable settings={data} accountId={me.id} />}
      {data && me?.role === 'agent' && <Readable settings={data} />}
    </>
  )
}
