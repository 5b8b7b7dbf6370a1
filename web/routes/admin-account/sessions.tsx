import { useState } from 'react'
import { type Session, sessions } from '../../../events/staff/wire.ts'
import { send } from '../../client/http.ts'
import { serverNow } from '../../client/server-time.ts'
import { dayInShort, dayOf, timeOf } from '../../staff/day.ts'
import { machineInWords, networkInWords } from '../../staff/origin-in-words.ts'
import { FetchFailure } from '../../staff/placeholder.tsx'
import { reasonOf } from '../../staff/requests/refusal.ts'
import { useGet } from '../../staff/requests/use-get.ts'
import { SettingsSection } from '../../staff/settings/section-layout.tsx'
import { Button } from '../../ui/button.tsx'
import { colour, space, type } from '../../ui/theme.ts'

const KEY = '/api/me/sessions'

const useSessions = () => {
  const { data, error, mutate } = useGet(KEY, sessions)
  return {
    sessions: data,
    error,
    retry: () => mutate(),
    /** Resolves once the list no longer has it. */
    end: async (id: string) => {
      await send('DELETE', `${KEY}/${id}`)
      await mutate()
    },
  }
}

const momentInWords = (instant: string) => {
  const day = dayOf(instant)
  return `${day === dayOf(serverNow()) ? 'today' : `on ${dayInShort(day)}`} at ${timeOf(instant)}`
}

const nameOfSession = ({ from }: Session) => (from ? machineInWords(from) : 'Unknown browser')

const SessionRow = ({ session, end }: { session: Session; end: () => Promise<void> }) => {
  const [state, setState] = useState<'still' | 'ending' | Error>('still')
  const { begunAt, from, isThis } = session
  const endIt = async () => {
    setState('ending')
    try {
      await end()
    } catch (error) {
      setState(error as Error)
    }
  }
  const name = nameOfSession(session)
  const since = momentInWords(begunAt)
  return (
    <li
      css={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        justifyContent: 'space-between',
        gap: space.tight,
        padding: `${space.snug} 0`,
        borderBottom: `1px solid ${colour.line}`,
        ':first-of-type': { paddingTop: 0 },
        ':last-of-type': { borderBottom: 'none' },
      }}
    >
      <div css={{ flex: '1 1 9rem', overflowWrap: 'anywhere' }}>
        <p css={{ fontWeight: 500 }}>{name}</p>
        <p css={{ color: colour.soft, fontSize: type.small }}>
          Signed in {since}
          {from && `, from ${networkInWords(from)}`}
        </p>
        {state instanceof Error && (
          <p role="alert" css={{ color: colour.bad, fontSize: type.small }}>
            {reasonOf(state)}
          </p>
        )}
      </div>
      {isThis ? (
        <p css={{ color: colour.soft, fontSize: type.small }}>This browser</p>
      ) : (
        <Button
          look="quiet"
          disabled={state === 'ending'}
          aria-label={`End session: ${name}, signed in ${since}`}
          onClick={endIt}
        >
          {state === 'ending' ? 'Ending...' : 'End session'}
        </Button>
      )}
    </li>
  )
}

/** The staff member's sessions, with a button to end each but this one. */
export const Sessions = () => {
  const { sessions, error, retry, end } = useSessions()
  return (
    <SettingsSection
      id="sessions"
      title="Where you are signed in"
      intro="End any session that you do not know, then change your password. A session ends by itself after seven days."
    >
      {error && <FetchFailure title="Error loading where you are signed in" error={error} retry={retry} />}
      <ul css={{ listStyle: 'none', padding: 0 }}>
        {sessions?.map((session) => (
          <SessionRow key={session.id} session={session} end={() => end(session.id)} />
        ))}
      </ul>
    </SettingsSection>
  )
}
