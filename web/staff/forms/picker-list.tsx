import { Command } from 'cmdk'
import { CheckIcon } from '../../ui/icons.tsx'
import { colour, radius, space, type } from '../../ui/theme.ts'
import type { PickerProps } from './picker.tsx'

const look = {
  '[cmdk-input]': {
    width: '100%',
    padding: `${space.hair} ${space.tight}`,
    border: 0,
    borderBottom: `1px solid ${colour.line}`,
    background: 'none',
    color: colour.ink,
    fontSize: type.body,
    outline: 'none',
    '@media (pointer: coarse)': { minHeight: '2.75rem', fontSize: '1rem' },
  },
  '[cmdk-list]': { maxHeight: 'min(20rem, 50dvh)', paddingTop: space.hair, overflow: 'auto' },
  '[cmdk-group-heading]': {
    padding: `${space.hair} ${space.tight}`,
    color: colour.soft,
    fontSize: '0.75rem',
    fontWeight: 500,
  },
  '[cmdk-item]': {
    display: 'flex',
    alignItems: 'center',
    gap: space.tight,
    minHeight: '2rem',
    '@media (pointer: coarse)': { minHeight: '2.75rem' },
    padding: `0 ${space.tight}`,
    borderRadius: radius.control,
    fontSize: type.small,
    cursor: 'pointer',
    overflowWrap: 'anywhere',
    '& > svg': { marginLeft: 'auto' },
  },
  '[cmdk-item][aria-selected=true]': { background: colour.accentWash },
  '[cmdk-empty]': { padding: space.tight, color: colour.soft, fontSize: type.small },
} as const

const holds = (_: string, typed: string, keywords: string[] = []) =>
  Number(
    typed
      .toLowerCase()
      .split(/\s+/)
      .every((word) => keywords.join(' ').toLowerCase().includes(word)),
  )

/** The choices of a picker under their search field. Its code comes with the library of the palette. */
export const PickerList = ({ label, groups, chosen, onChoose }: PickerProps) => (
  <Command label={label} loop filter={holds} css={look} {...(chosen !== undefined && { defaultValue: chosen })}>
    <Command.Input autoFocus placeholder={`${label}...`} maxLength={100} />
    <Command.List>
      <Command.Empty>Nothing found.</Command.Empty>
      {groups.map(({ heading, choices }) => (
        <Command.Group key={choices[0]?.[0]} {...(heading && { heading })}>
          {choices.map(([value, name]) => (
            <Command.Item
              key={value}
              value={value}
              keywords={[heading ?? '', name]}
              onSelect={() => onChoose(value)}
              {...(value === chosen && { 'aria-checked': true })}
            >
              {name}
              {value === chosen && <CheckIcon />}
            </Command.Item>
          ))}
        </Command.Group>
      ))}
    </Command.List>
  </Command>
)
