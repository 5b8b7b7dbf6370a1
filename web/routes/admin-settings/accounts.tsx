import type { ComponentType } from 'react'
import { Link } from 'react-router'
import { nameOf } from '../../../events/base/name-of.ts'
import type { Account } from '../../../events/staff/wire.ts'
import { useMe } from '../../staff/account/account.ts'
import { useColleagues } from '../../staff/account/colleagues.ts'
import { ROLE_NAMES } from '../../staff/account/role.ts'
import { dayInShort, dayOf } from '../../staff/day.ts'
import { DialogButton } from '../../staff/forms/dialog-button.tsx'
import { Pending } from '../../staff/placeholder.tsx'
import { Badge } from '../../ui/badge.tsx'
import { colour, space, type } from '../../ui/theme.ts'
import { AddAccount, EditAccount, RemoveAccount, SetPassword, TurnOffTwoFactor } from './account-dialogs.tsx'
import { useAccounts } from './accounts-api.ts'
import { PanelRow } from './panel-row.tsx'
import { PasswordLink } from './password-link.tsx'
import { SignInRules } from './sign-in-rules.tsx'
import type { Section } from './use-settings-form.ts'

type RowProps = { account: Account; isMe: boolean }

const Row = ({ account, isMe }: RowProps) => {
  const { displayName, username, role, createdAt, hasTwoFactor } = account
  const actionButton = (Form: ComponentType<RowProps & { onClose: () => void }>, words: string, label: string) => (
    <DialogButton
      look="quiet"
      aria-label={words}
      dialog={(close) => <Form account={account} isMe={isMe} onClose={close} />}
    >
      {label}
    </DialogButton>
  )
  return (
    <PanelRow>
      <div css={{ minWidth: 0, overflowWrap: 'anywhere' }}>
        <p css={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: space.tight, fontWeight: 600 }}>
          {displayName}
          {role !== 'agent' && <Badge>{nameOf(ROLE_NAMES, role)}</Badge>}
          {hasTwoFactor && <Badge>Two-factor</Badge>}
          {isMe && <span css={{ color: colour.soft, fontWeight: 400 }}>you</span>}
        </p>
        <p css={{ color: colour.soft, fontSize: type.small }}>
          {username}, since {dayInShort(dayOf(createdAt))}
        </p>
      </div>
      <div css={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: space.tight }}>
        {actionButton(EditAccount, `Edit ${displayName}`, 'Edit')}
        {isMe ? (
          <Link to="/admin-account" css={{ marginLeft: space.hair, fontSize: type.small }}>
            Change your password
          </Link>
        ) : (
          <>
            {actionButton(SetPassword, `Set password for ${displayName}`, 'Set password')}
            {actionButton(PasswordLink, `Password link for ${displayName}`, 'Password link')}
            {hasTwoFactor &&
              actionButton(TurnOffTwoFactor, `Turn off two-factor for ${displayName}`, 'Turn off two-factor')}
            {actionButton(RemoveAccount, `Remove ${displayName}`, 'Remove')}
          </>
        )}
      </div>
    </PanelRow>
  )
}

export const Accounts = () => {
  const { data: me } = useMe()
  const { data, error, mutate } = useAccounts()
  return (
    <>
      <Pending what="accounts" isLoading={!data} error={error} retry={() => mutate()} />
      <SignInRules />
      <ul aria-label="Accounts" css={{ display: 'grid', gap: space.snug }}>
        {data?.map((account) => (
          <Row key={account.id} account={account} isMe={account.id === me?.id} />
        ))}
      </ul>
      {data && (
        <DialogButton look="quiet" css={{ marginTop: space.base }} dialog={(stop) => <AddAccount onClose={stop} />}>
          Add an account
        </DialogButton>
      )}
    </>
  )
}

const Names = () => {
  const { data: colleagues } = useColleagues()
  return (
    <ul aria-label="Accounts">
      {colleagues?.map(({ id, displayName }) => (
        <li key={id}>{displayName}</li>
      ))}
    </ul>
  )
}

export const ACCOUNTS: Section = {
  id: 'accounts',
  intro: 'Members work with leads and chats. Admins also change settings and erase people’s data.',
  Form: Accounts,
  Shown: Names,
}
