import { useCallback, useState } from 'react'
import { hoursInWords } from '../../../events/support-hours.ts'
import type { Settings } from '../../../events/wire/settings.ts'
import { useMe } from '../../staff/account.ts'
import { useColleagues } from '../../staff/colleagues.ts'
import { LeaveGuard } from '../../staff/leave-guard.tsx'
import { FetchFailure, Notice } from '../../staff/notice.tsx'
import { type SettingsPart, useSettings } from '../../staff/settings.ts'
import { SettingsSection } from '../../staff/settings-section.tsx'
import { SettingsTabs } from '../../staff/settings-tabs.tsx'
import { useTitle } from '../../staff/title.ts'
import { colour, space, type } from '../../ui/theme.ts'
import { Accounts } from './accounts.tsx'
import { CannedRepliesForm, RepliesList } from './canned-replies.tsx'
import { AddressList, InboxAddressesForm } from './inbox-addresses.tsx'
import { OfferForm, OfferLine } from './offer.tsx'
import { OwnTexts, PackageTextsForm } from './package-texts.tsx'
import { ShowcaseForm, ShowcaseLine } from './showcase.tsx'
import { SupportHoursForm } from './support-hours.tsx'

const SECTIONS = {
  hours: {
    id: 'support-hours',
    title: 'Support hours',
    intro: 'Shown on the website; used by chat and reply deadlines.',
  },
  replies: {
    id: 'canned-replies',
    title: 'Canned replies',
    intro: 'Answers that you give often. Type / and the shortcut in chat.',
  },
  inboxes: {
    id: 'inbox-addresses',
    title: 'Inbox addresses',
    intro: 'Extra recipients for signed contracts. Other leads appear on the dashboard only.',
  },
  offer: {
    id: 'offer',
    title: 'Offer',
    intro: 'Shown in the banner, on the badges and beside the prices, all together, until its last day is over.',
  },
  packages: {
    id: 'package-texts',
    title: 'Package texts',
    intro: 'What the cards and the contract pages say. Names and prices stay as they are.',
  },
  showcase: {
    id: 'showcase',
    title: 'Showcase',
    intro: 'What the website shows of you: links, work, reviews and faces. What is empty does not show.',
  },
  accounts: {
    id: 'accounts',
    title: 'Staff accounts',
    intro:
      'Who can sign in. Owners also keep these settings and erase people’s data; agents work with leads and chats.',
  },
}

/** For owners: each part a form of its own. */
const Editable = ({ settings }: { settings: Settings }) => {
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
  const form = { settings, onDirty }
  return (
    <>
      <LeaveGuard isDirty={dirty.size > 0} />
      <SettingsSection {...SECTIONS.hours}>
        <SupportHoursForm {...form} />
      </SettingsSection>
      <SettingsSection {...SECTIONS.replies}>
        <CannedRepliesForm {...form} />
      </SettingsSection>
      <SettingsSection {...SECTIONS.inboxes}>
        <InboxAddressesForm {...form} />
      </SettingsSection>
      <SettingsSection {...SECTIONS.offer}>
        <OfferForm {...form} />
      </SettingsSection>
      <SettingsSection {...SECTIONS.packages}>
        <PackageTextsForm {...form} />
      </SettingsSection>
      <SettingsSection {...SECTIONS.showcase}>
        <ShowcaseForm {...form} />
      </SettingsSection>
      <SettingsSection {...SECTIONS.accounts}>
        <Accounts />
      </SettingsSection>
    </>
  )
}

/** For agents: what is set, to read. */
const Readable = ({ settings }: { settings: Settings }) => {
  const { data: colleagues } = useColleagues()
  return (
    <>
      <SettingsSection {...SECTIONS.hours}>
        <p>{hoursInWords(settings.supportHours)}</p>
      </SettingsSection>
      <SettingsSection {...SECTIONS.replies}>
        <RepliesList replies={settings.cannedReplies} />
      </SettingsSection>
      <SettingsSection {...SECTIONS.inboxes}>
        <AddressList addresses={settings.inboxAddresses} />
      </SettingsSection>
      <SettingsSection {...SECTIONS.offer}>
        <OfferLine settings={settings} />
      </SettingsSection>
      <SettingsSection {...SECTIONS.packages}>
        <OwnTexts settings={settings} />
      </SettingsSection>
      <SettingsSection {...SECTIONS.showcase}>
        <ShowcaseLine settings={settings} />
      </SettingsSection>
      <SettingsSection {...SECTIONS.accounts}>
        <ul aria-label="Accounts">
          {colleagues?.map(({ id, displayName }) => (
            <li key={id}>{displayName}</li>
          ))}
        </ul>
      </SettingsSection>
    </>
  )
}

/** What the agency has set for itself, and who works for it. */
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
          : 'Changes apply immediately (open chats: within a minute).'}
      </p>
      {error && <FetchFailure title="Error loading settings" error={error} retry={() => mutate()} />}
      {(!data || !me) && !error && <Notice title="Loading settings..." />}
      {data && me?.role === 'owner' && <Editable settings={data} />}
      {data && me?.role === 'agent' && <Readable settings={data} />}
    </>
  )
}
