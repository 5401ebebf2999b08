import { createContext, use, useId, type ComponentProps, type KeyboardEvent, type ReactNode } from 'react';
import { cn } from '../lib/cn';

interface TabsState {
  id: string;
  value: string;
  choose: (value: string) => void;
}
const TabsContext = createContext<TabsState | null>(null);

function useTabs(): TabsState {
  const tabs = use(TabsContext);
  if (!tabs) throw new Error('A tab must be inside Tabs');
  return tabs;
}

interface TabsProps extends ComponentProps<'div'> {
  value: string;
  onValueChange: (value: string) => void;
}

/** Tabs following the ARIA practices. Not Radix, which would add 9 KB to the sign-in page. */
export function Tabs({ value, onValueChange, ...rest }: TabsProps) {
  return (
    <TabsContext value={{ id: useId(), value, choose: onValueChange }}>
      <div {...rest} />
    </TabsContext>
  );
}

const steps: Record<string, (at: number, count: number) => number> = {
  ArrowRight: (at, count) => (at + 1) % count,
  ArrowLeft: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_at, count) => count - 1,
};

/** The arrow keys move between tabs and open them. */
function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
  const step = steps[event.key];
  if (!step) return;
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')];
  const next = tabs[step(tabs.indexOf(event.target as HTMLElement), tabs.length)];
  event.preventDefault();
  next?.focus();
  next?.click();
}

export function TabsList({ className, ...rest }: ComponentProps<'div'>) {
  return (
    <div
      role="tablist"
      aria-orientation="horizontal"
      onKeyDown={onKeyDown}
      className={cn('inline-flex items-center gap-0.5 rounded-md bg-hover p-0.5', className)}
      {...rest}
    />
  );
}

export function Tab({ className, value, ...rest }: ComponentProps<'button'> & { value: string }) {
  const { id, value: open, choose } = useTabs();
  const isOpen = value === open;
  return (
    <button
      type="button"
      role="tab"
      id={`${id}-tab-${value}`}
      aria-selected={isOpen}
      aria-controls={`${id}-panel-${value}`}
      tabIndex={isOpen ? 0 : -1}
      onClick={() => choose(value)}
      className={cn(
        'inline-flex h-7 flex-1 items-center justify-center gap-1.5 rounded-sm border border-transparent px-3 font-medium whitespace-nowrap text-muted transition-colors hover:text-ink',
        'aria-selected:border-line aria-selected:bg-surface aria-selected:text-ink touch:h-9',
        className,
      )}
      {...rest}
    />
  );
}

/** The content is mounted only while its tab is open. */
export function TabPanel({ className, value, children, ...rest }: ComponentProps<'div'> & { value: string }) {
  const { id, value: open } = useTabs();
  return (
    <div
      role="tabpanel"
      id={`${id}-panel-${value}`}
      aria-labelledby={`${id}-tab-${value}`}
      hidden={value !== open}
      tabIndex={0}
      className={cn('rounded-md', className)}
      {...rest}
    >
      {value === open && children}
    </div>
  );
}

export interface TabSetItem<Value extends string> {
  value: Value;
  label: string;
  panel: ReactNode;
}
interface TabSetProps<Value extends string> {
  /** Accessible name of the list of tabs. */
  label: string;
  tabs: readonly TabSetItem<Value>[];
  value: Value;
  onChange: (value: Value) => void;
  className?: string;
  listClassName?: string;
  panelClassName?: string;
}

/** A list of tabs, which scrolls sideways on phones, and the panel of the open one. */
export const TabSet = <Value extends string>({ label, tabs, value, onChange, ...classes }: TabSetProps<Value>) => (
  <Tabs value={value} onValueChange={(next) => onChange(next as Value)} className={classes.className}>
    <TabsList aria-label={label} className={cn('max-w-full overflow-x-auto', classes.listClassName)}>
      {tabs.map((tab) => (
        <Tab key={tab.value} value={tab.value}>
          {tab.label}
        </Tab>
      ))}
    </TabsList>
    {tabs.map((tab) => (
      <TabPanel key={tab.value} value={tab.value} className={classes.panelClassName}>
        {tab.panel}
      </TabPanel>
    ))}
  </Tabs>
);
